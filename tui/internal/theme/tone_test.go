package theme

import "testing"

// What means another thing looks otherwise, also when it is out of date.
func TestTonesAreToldApart(t *testing.T) {
	for _, name := range []Name{Dark, Light} {
		look := New(name, false)
		if !look.Shades() {
			t.Fatalf("%s has no tones", name)
		}
		seen := map[string][3]int{}
		for old, attr := range []Attr{0, Old} {
			for upper := range Tones {
				for lower := range Tones {
					s := look.Halves(upper, lower, attr)
					is := [3]int{old, int(upper), int(lower)}
					if upper == NoTone && lower == NoTone {
						if s != "" {
							t.Errorf("%s: no tones are %q", name, s)
						}
						continue
					}
					was, twice := seen[s]
					out := upper <= ToneOut && lower <= ToneOut // stays as it is
					if twice && !(out && was[1] == is[1] && was[2] == is[2]) {
						t.Errorf("%s: %v and %v look alike: %q", name, was, is, s)
					}
					seen[s] = is
				}
			}
		}
	}
	for _, look := range []*Theme{New(NoColor, false), New(Dark, true)} {
		if look.Shades() || look.Halves(ToneIn, ToneOut, 0) != "" {
			t.Error("tones without colours or half blocks")
		}
	}
}
