package model

import (
	"fmt"
	"slices"

	"cupelscope/model/internal/jsonwalk"
)

// elements calls one for each element of an array of objects, with its path.
func (r reader) elements(field string, raw []byte, one func(at string, raw []byte) error) error {
	if jsonwalk.Type(raw) != '[' {
		return r.fail(field, "is "+jsonName(raw)+", must be an array")
	}
	i := 0
	for element := range jsonwalk.Elements(raw) {
		at := fmt.Sprintf("%s[%d]", field, i)
		if jsonwalk.Type(element) != '{' {
			return r.fail(at, "is "+jsonName(element)+", must be an object")
		}
		if err := one(at, element); err != nil {
			return err
		}
		i++
	}
	return nil
}

// entry reads an object with a kind, and with every field that is required.
func (r reader) entry(at string, raw []byte, known, required []string, kind *Kind, member func(field, key string, raw []byte) error) error {
	var given []string
	err := r.object(at, raw, known, func(field, key string, raw []byte) error {
		given = append(given, key)
		if key == "kind" {
			return r.text(field, raw, (*string)(kind))
		}
		return member(field, key, raw)
	})
	if err != nil {
		return err
	}
	for _, key := range required {
		if !slices.Contains(given, key) {
			return r.fail(at+"."+key, "is required")
		}
	}
	return nil
}

// quotas reads [{"kind", "minPercent"?, "maxPercent"?}]; nil if there are none.
func (r reader) quotas(field string, raw []byte) (all []Quota, err error) {
	known := []string{"kind", "minPercent", "maxPercent"}
	err = r.elements(field, raw, func(at string, raw []byte) error {
		var q Quota
		err := r.entry(at, raw, known, known[:1], &q.Kind, func(field, key string, raw []byte) error {
			v, err := r.float(field, raw)
			if key == "minPercent" {
				q.MinPercent = Some(v)
			} else {
				q.MaxPercent = Some(v)
			}
			return err
		})
		all = append(all, q)
		return err
	})
	return all, err
}

// countQuotas reads [{"kind", "requireCount", "capCount"}]; nil if there are none.
func (r reader) countQuotas(field string, raw []byte) (all []CountQuota, err error) {
	known := []string{"kind", "requireCount", "capCount"}
	err = r.elements(field, raw, func(at string, raw []byte) error {
		var q CountQuota
		err := r.entry(at, raw, known, known, &q.Kind, func(field, key string, raw []byte) error {
			n, err := r.count(field, raw, 0)
			if key == "requireCount" {
				q.Require = n
			} else {
				q.Cap = n
			}
			return err
		})
		all = append(all, q)
		return err
	})
	return all, err
}

// count reads a number of items from least to maxCount.
func (r reader) count(field string, raw []byte, least Tokens) (int, error) {
	n, err := r.tokens(field, raw)
	if err != nil {
		return 0, err
	}
	if n < least || n > maxCount {
		return 0, r.fail(field, fmt.Sprintf("is %d, must be %d to %v", int64(n), int64(least), Tokens(maxCount)))
	}
	return int(n), nil
}

func (w *writer) quotas(all []Quota) {
	if len(all) == 0 {
		return
	}
	w.array("quotas", len(all), func(i int) {
		w.text("kind", string(all[i].Kind))
		w.option("minPercent", all[i].MinPercent)
		w.option("maxPercent", all[i].MaxPercent)
	})
}

func (w *writer) countQuotas(all []CountQuota) {
	if len(all) == 0 {
		return
	}
	w.array("countQuotas", len(all), func(i int) {
		w.text("kind", string(all[i].Kind))
		w.number("requireCount", Tokens(all[i].Require))
		w.number("capCount", Tokens(all[i].Cap))
	})
}

// array writes n objects, each with the members that one writes.
func (w *writer) array(name string, n int, one func(i int)) {
	w.key(name)
	w.open('[')
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.open('{')
		one(i)
		w.shut('}')
	}
	w.shut(']')
}

func (w *writer) option(name string, v Option[float64]) {
	if v.Set {
		w.float(name, v.Value)
	}
}
