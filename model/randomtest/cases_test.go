package randomtest

import (
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// Every field of a budget and of a policy is set in some case, so that one that is added
// is not left out of what is tested.
func TestEveryFieldGetsSet(t *testing.T) {
	c := Seeded(1, 2)
	set := map[string]bool{}
	see := func(v any) {
		s := reflect.ValueOf(v)
		for i := range s.NumField() {
			if !s.Type().Field(i).IsExported() { // what a policy was read as is none of its settings
				continue
			}
			name := s.Type().String() + "." + s.Type().Field(i).Name
			set[name] = set[name] || !s.Field(i).IsZero()
		}
	}
	for range 300 {
		b := musttest.Of(Budget(c))(t)
		see(b.Fields())
		p := Policy(c)
		musttest.Do(t, p.Validate())
		see(p)
	}
	for name, is := range set {
		if !is {
			t.Errorf("no random case sets %s", name)
		}
	}
}

// A part that draws more moves no other.
func TestPartsHaveStreamsOfTheirOwn(t *testing.T) {
	a, b := Seeded(1, 2), Seeded(1, 2)
	for range 20 {
		b.Of("a part that is new").IntN(9)
		if x, y := Policy(a), Policy(b); !reflect.DeepEqual(x, y) {
			t.Fatalf("%+v and %+v", x, y)
		}
		b.IntN(9)
	}
	if x, y := a.Of("one"), a.Of("other"); model.Tokens(x.IntN(1<<30)) == model.Tokens(y.IntN(1<<30)) {
		t.Error("two parts have the same numbers")
	}
}
