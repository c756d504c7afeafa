package model

import (
	"fmt"
	"time"

	"cupelscope/model/internal/jsonwalk"
)

func scorerFields() []string {
	fields := []string{"type", "weight"}
	for _, p := range parameters() {
		fields = append(fields, p.field)
	}
	return fields
}

func (r reader) scorers(field string, raw []byte, depth int) ([]Scorer, error) {
	if depth > maxNesting {
		return nil, tooDeep(field)
	}
	if jsonwalk.Type(raw) != '[' {
		return nil, r.fail(field, "is "+jsonName(raw)+", must be an array of scorers")
	}
	all := []Scorer{}
	for element := range jsonwalk.Elements(raw) {
		s, err := r.scorer(fmt.Sprintf("%s[%d]", field, len(all)), element, depth)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (r reader) scorer(at string, raw []byte, depth int) (s Scorer, err error) {
	if depth > maxNesting {
		return s, tooDeep(at)
	}
	if jsonwalk.Type(raw) != '{' {
		return s, r.fail(at, "is "+jsonName(raw)+", must be an object")
	}
	// The type comes first: it explains an unknown field better than the field.
	for key, value := range jsonwalk.Members(raw) {
		if key == "type" {
			if err := r.text(at+".type", value, (*string)(&s.Type)); err != nil {
				return s, err
			}
			if err := oneOf(at+".type", s.Type, ScorerTypes()); err != nil {
				return s, err
			}
		}
	}
	given := map[string]bool{}
	err = r.object(at, raw, scorerFields(), func(field, key string, raw []byte) error {
		given[key] = true
		return r.parameter(&s, field, key, raw, depth)
	})
	switch {
	case err != nil:
		return s, err
	case s.Type == "":
		return s, r.fail(at+".type", "is required")
	case !given["weight"]:
		return s, r.fail(at+".weight", "is required")
	}
	// Validate cannot tell an empty value from one that is not given.
	for _, p := range parameters() {
		if given[p.field] && p.owner != s.Type {
			return s, p.foreign(at, s.Type)
		}
	}
	if s.Type == ScoreMetadataKey {
		for _, key := range [...]string{"key", "value", "boost"} {
			if !given[key] {
				return s, r.fail(at+"."+key, "is required for scorer type metadataKey")
			}
		}
	}
	return s, nil
}

// parameter reads one member of a scorer other than its type.
func (r reader) parameter(s *Scorer, field, key string, raw []byte, depth int) (err error) {
	switch key {
	case "weight":
		s.Weight, err = r.float(field, raw)
	case "kindWeights":
		s.KindWeights = []KindWeight{}
		err = r.weights(field, raw, func(kind string, w float64) {
			s.KindWeights = append(s.KindWeights, KindWeight{Kind(kind), w})
		})
	case "tagWeights":
		s.TagWeights = []TagWeight{}
		err = r.weights(field, raw, func(tag string, w float64) {
			s.TagWeights = append(s.TagWeights, TagWeight{tag, w})
		})
	case "innerScorer":
		s.Inner = new(Scorer)
		*s.Inner, err = r.scorer(field, raw, depth+1)
	case "scorers":
		s.Scorers, err = r.scorers(field, raw, depth+1)
	case "defaultScore":
		s.DefaultScore.Set = true
		s.DefaultScore.Value, err = r.float(field, raw)
	case "key":
		err = r.text(field, raw, &s.Key)
	case "value":
		err = r.text(field, raw, &s.Value)
	case "boost":
		s.Boost, err = r.float(field, raw)
	case "referenceTime":
		s.ReferenceTime.Set = true
		s.ReferenceTime.Value, err = r.instant(field, raw)
	case "nullTimestampScore":
		s.NullTimestampScore.Set = true
		s.NullTimestampScore.Value, err = r.float(field, raw)
	case "curve":
		s.Curve, err = r.curve(field, raw)
	}
	return err
}

func (r reader) weights(field string, raw []byte, add func(name string, w float64)) error {
	return r.object(field, raw, nil, func(field, name string, raw []byte) error {
		w, err := r.float(field, raw)
		add(name, w)
		return err
	})
}

// curve reads {"type", "halfLifeSeconds"?, "maxAgeSeconds"?, "windows"?:
// [{"maxAgeSeconds", "score"}]}.
func (r reader) curve(at string, raw []byte) (*DecayCurve, error) {
	c := new(DecayCurve)
	given := map[string]bool{}
	err := r.object(at, raw, []string{"type", "halfLifeSeconds", "maxAgeSeconds", "windows"}, func(field, key string, raw []byte) (err error) {
		given[key] = true
		switch key {
		case "type":
			err = r.text(field, raw, (*string)(&c.Type))
		case "halfLifeSeconds":
			c.HalfLifeSeconds, err = r.float(field, raw)
		case "maxAgeSeconds":
			c.MaxAgeSeconds, err = r.float(field, raw)
		case "windows":
			c.Windows, err = r.windows(field, raw)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case !given["type"]:
		return nil, r.fail(at+".type", "is required")
	}
	if err := oneOf(at+".type", c.Type, CurveTypes()); err != nil {
		return nil, err
	}
	for _, p := range [...]struct {
		field string
		owner CurveType
	}{{"halfLifeSeconds", Exponential}, {"maxAgeSeconds", Window}, {"windows", Step}} {
		if given[p.field] && p.owner != c.Type { // 0 seconds too, which Validate takes for not given
			return nil, foreignToCurve(at+"."+p.field, p.owner, c.Type)
		}
		if !given[p.field] && p.owner == c.Type {
			return nil, r.fail(at+"."+p.field, "is required for curve type "+string(c.Type))
		}
	}
	return c, nil
}

func (r reader) windows(field string, raw []byte) ([]DecayWindow, error) {
	all := []DecayWindow{}
	err := r.elements(field, raw, func(at string, raw []byte) error {
		var w DecayWindow
		given := map[string]bool{}
		err := r.object(at, raw, []string{"maxAgeSeconds", "score"}, func(field, key string, raw []byte) (err error) {
			given[key] = true
			if key == "score" {
				w.Score, err = r.float(field, raw)
			} else {
				w.MaxAgeSeconds, err = r.float(field, raw)
			}
			return err
		})
		switch {
		case err != nil:
			return err
		case !given["maxAgeSeconds"]:
			return r.fail(at+".maxAgeSeconds", "is required")
		case !given["score"]:
			return r.fail(at+".score", "is required")
		}
		all = append(all, w)
		return nil
	})
	return all, err
}

// instant reads a time in the forms that the timestamp of an item may have: RFC
// 3339, of which the seconds, the zone or the time of day may be missing. Without
// a zone it is in UTC, and so is the result.
func (r reader) instant(field string, raw []byte) (time.Time, error) {
	var text string
	if err := r.text(field, raw, &text); err != nil {
		return time.Time{}, err
	}
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, r.fail(field, fmt.Sprintf("is %.40q, must be a time like 2025-01-31T12:00:00Z", text))
}

func (w *writer) scorers(name string, all []Scorer) {
	w.array(name, len(all), func(i int) { w.scorer(&all[i]) })
}

// scorer writes the members of a valid scorer.
func (w *writer) scorer(s *Scorer) {
	w.text("type", string(s.Type))
	w.float("weight", s.Weight)
	if s.KindWeights != nil {
		w.key("kindWeights")
		w.open('{')
		for _, k := range s.KindWeights {
			w.float(string(k.Kind), k.Weight)
		}
		w.shut('}')
	}
	if s.TagWeights != nil {
		w.key("tagWeights")
		w.open('{')
		for _, t := range s.TagWeights {
			w.float(t.Tag, t.Weight)
		}
		w.shut('}')
	}
	if s.Inner != nil {
		w.key("innerScorer")
		w.open('{')
		w.scorer(s.Inner)
		w.shut('}')
	}
	if s.Scorers != nil {
		w.scorers("scorers", s.Scorers)
	}
	w.option("defaultScore", s.DefaultScore)
	if s.Type == ScoreMetadataKey {
		w.text("key", s.Key)
		w.text("value", s.Value)
		w.float("boost", s.Boost)
	}
	if s.ReferenceTime.Set {
		w.text("referenceTime", s.ReferenceTime.Value.UTC().Format(time.RFC3339Nano))
	}
	w.option("nullTimestampScore", s.NullTimestampScore)
	if s.Curve != nil {
		w.key("curve")
		w.open('{')
		w.curve(s.Curve)
		w.shut('}')
	}
}

func (w *writer) curve(c *DecayCurve) {
	w.text("type", string(c.Type))
	switch c.Type {
	case Exponential:
		w.float("halfLifeSeconds", c.HalfLifeSeconds)
	case Window:
		w.float("maxAgeSeconds", c.MaxAgeSeconds)
	case Step:
		w.array("windows", len(c.Windows), func(i int) {
			w.float("maxAgeSeconds", c.Windows[i].MaxAgeSeconds)
			w.float("score", c.Windows[i].Score)
		})
	}
}
