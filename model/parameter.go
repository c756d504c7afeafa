package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parameter is one value of a scorer as an editor shows it. A change is not
// validated: call Policy.Validate after it.
type Parameter struct {
	Name        string // its place below the scorer, as in policy JSON: "curve.windows[0].score"
	Label, Help string // Help is one line: what it does, its unit and bounds

	Text    string   // the value as text
	Choices []string // the values that it can have; nil: any
	Step    float64  // by how much an editor steps a number; 0: it is not a number
	Number  float64  // the value, if it is a number
	Varies  bool     // it is one of Numbers

	// Set reads the value from text, SetNumber sets a number; one of the two is
	// nil.
	Set       func(text string) error
	SetNumber func(v float64)
	Remove    func() // removes the entry; nil: it cannot be removed
}

// Parameters returns the parameters of a scorer in order, without its weight
// and the scorers within it. Setting one changes s. A kind scorer has a weight
// for each of the given kinds, also where it has none yet.
func (s *Scorer) Parameters(kinds []Kind) []Parameter {
	return scorerTable(s, 0).parameters("", "", kinds)
}

// begin sets the first values of a new object.
func (t table) begin() {
	for _, m := range t.rows {
		if t.has(m) && m.begin != nil {
			m.begin()
		}
	}
}

// parameters returns the parameters of an object; at precedes their names, and
// prefix their labels.
func (t table) parameters(at, prefix string, kinds []Kind) []Parameter {
	var all []Parameter
	for _, m := range t.rows {
		if m.help == "" || !t.has(m) {
			continue
		}
		p := Parameter{Name: at + m.name, Label: prefix + m.label, Help: m.help, Step: m.step, Varies: m.axis != ""}
		switch v := m.value.(type) {
		case numeric:
			now, set := v.number()
			all = append(all, numberParameter(p, now, set))
		case textual:
			p.Text, p.Set, p.Choices = v.text()
			p.Step = 0
			all = append(all, p)
		case compound:
			all = append(all, v.parameters(p, kinds)...)
		}
	}
	return all
}

// numeric is a value that is a number.
type numeric interface {
	number() (now float64, set func(float64))
}

// set sets the number in a row.
func (t table) set(row int, v float64) {
	_, set := t.rows[row].value.(numeric).number()
	set(v)
}

func (v real) number() (float64, func(float64)) {
	return *v.to, func(f float64) { *v.to = f }
}

func (v whole[T]) number() (float64, func(float64)) {
	return float64(*v.to), func(f float64) { *v.to = T(f) }
}

func (v optionalReal) number() (float64, func(float64)) {
	return v.to.Or(v.otherwise), func(f float64) { *v.to = Some(f) }
}

// longSeconds is the number of seconds above which an editor steps by hours.
const longSeconds = 36_000

func numberParameter(p Parameter, now float64, set func(float64)) Parameter {
	p.Number, p.SetNumber, p.Text = now, set, strconv.FormatFloat(now, 'g', 6, 64)
	if p.Step == 60 && now > longSeconds {
		p.Step = 3600
	}
	return p
}

// textual is a value that is typed or chosen.
type textual interface {
	// text is the value as text, what sets it, and its choices.
	text() (now string, set func(string) error, choices []string)
}

func (v text[T]) text() (string, func(string) error, []string) {
	return string(*v.to), func(s string) error { *v.to = T(s); return nil }, nil
}

func (v word[T]) text() (string, func(string) error, []string) {
	names := Names(v.known)
	set := func(s string) error {
		if v.become != nil && slices.Contains(names, s) {
			v.become(T(s))
		} else {
			*v.to = T(s)
		}
		return nil
	}
	return string(*v.to), set, names
}

func (v instant) text() (string, func(string) error, []string) {
	return v.to.Value.UTC().Format(time.RFC3339), func(s string) error {
		at, err := parseInstant(s)
		if err == nil {
			*v.to = Some(at)
		}
		return err
	}, nil
}

// compound is a value with parameters of its own.
type compound interface {
	parameters(of Parameter, kinds []Kind) []Parameter
}

func (v object[T]) parameters(of Parameter, kinds []Kind) []Parameter {
	return v.table(*v.to, v.nesting).parameters(of.Name+".", of.Label, kinds)
}

func (v list[T]) parameters(of Parameter, kinds []Kind) []Parameter {
	var all []Parameter
	for i := range *v.to {
		t := v.table(&(*v.to)[i], v.nesting)
		all = append(all, t.parameters(fmt.Sprintf("%s[%d].", of.Name, i), fmt.Sprintf("%s%d: ", of.Label, i+1), kinds)...)
	}
	return all
}

// parameters returns one parameter for each entry. For kinds it adds one for
// each kind without an entry, for other names a last one that adds an entry.
func (v entries[E]) parameters(of Parameter, kinds []Kind) []Parameter {
	now := slices.Clone(*v.to)
	if now == nil && v.usual != nil {
		now = v.usual()
	}
	named := func(name string) bool {
		return slices.ContainsFunc(now, func(one E) bool {
			has, _ := v.parts(&one)
			return *has == name || v.folded && Kind(*has).Is(Kind(name))
		})
	}
	add := func(name string) *E {
		now = append(now, *new(E))
		to, _ := v.parts(&now[len(now)-1])
		*to = name
		return &now[len(now)-1]
	}
	if v.folded {
		for _, kind := range kinds {
			if !named(string(kind)) {
				add(string(kind))
			}
		}
	}
	var all []Parameter
	for i := range now {
		name, value := v.parts(&now[i])
		p := of
		p.Name, p.Label = of.Name+"."+*name, *name
		if v.folded { // it is a kind
			p.Label = Kind(*name).Noun()
		}
		number, set := value.(numeric).number()
		p = numberParameter(p, number, func(f float64) { set(f); *v.to = now })
		if !v.folded {
			p.Remove = func() { *v.to = slices.Delete(now, i, i+1) }
		}
		all = append(all, p)
	}
	if v.folded {
		return all
	}
	more := Parameter{Name: of.Name, Label: "+ " + of.Label, Help: fmt.Sprintf("%[1]s or %[1]s=WEIGHT adds a %[2]s", strings.ToUpper(of.Label), of.Label)}
	more.Set = func(text string) error {
		name, weight, given := strings.Cut(text, "=")
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("type a %s, or %s=WEIGHT", of.Label, strings.ToUpper(of.Label))
		}
		w := 1.0
		if given {
			var err error
			if w, err = strconv.ParseFloat(strings.TrimSpace(weight), 64); err != nil {
				return fmt.Errorf("%s weight: %.20q is not a number", of.Label, weight)
			}
		}
		_, value := v.parts(add(name))
		_, set := value.(numeric).number()
		set(w)
		*v.to = now
		return nil
	}
	return append(all, more)
}
