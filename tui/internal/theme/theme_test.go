package theme

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"cupelscope/model/musttest"

	"github.com/clipperhouse/displaywidth"
)

var wellFormed = regexp.MustCompile(`^\x1b\[[0-9]+(;[0-9]+)*m$`)

func TestEveryRoleHasALook(t *testing.T) {
	for _, name := range []Name{Auto, Dark, Light, NoColor, ""} {
		for _, asciiOnly := range []bool{false, true} {
			th := New(name, asciiOnly)
			for role := range roles {
				for attr := range Attr(attrs) {
					sgr := th.SGR(role, attr)
					if sgr != "" && !wellFormed.MatchString(sgr) {
						t.Errorf("%s: role %d under %d is %q", name, role, attr, sgr)
					}
					if sgr == "" && role != Plain && name != NoColor {
						t.Errorf("%s: role %d under %d looks like nothing", name, role, attr)
					}
					if name == NoColor && (strings.Contains(sgr, "38;") || strings.Contains(sgr, "48;") || regexp.MustCompile(`[;\[](3|4|9|10)[0-7][;m]`).MatchString(sgr)) {
						t.Errorf("%s: role %d under %d has a colour: %q", name, role, attr, sgr)
					}
					if attr&Old != 0 && (strings.Contains(sgr, "[1;") || strings.Contains(sgr, "[1m") || !strings.Contains(sgr, "2")) {
						t.Errorf("%s: role %d under %d is old, but not faint: %q", name, role, attr, sgr)
					}
				}
				// A selected row is seen in every cell, but in those with a ground of their own.
				if th.SGR(role, Selected) == th.SGR(role, 0) && role != Match && role != CameIn && role != WentOut && role != CacheSplit && (role < BOverA || role > HeatMore3) && !(name == NoColor && role.area()) {
					t.Errorf("%s: role %d does not show that it is selected", name, role)
				}
			}
		}
	}
}

func TestPlainTextIsTheTerminalsOwn(t *testing.T) {
	for _, name := range Names() {
		musttest.Is(t, New(name, false).SGR(Plain, 0), "", name, "plain text")
	}
}

// What must be told apart at a glance has colours of its own.
func TestStatesDifferInColour(t *testing.T) {
	for _, name := range []Name{Dark, Light} {
		th := New(name, false)
		seen := map[string]Role{}
		for _, role := range []Role{In, Out, Risk, Pin, Dup, Loss} {
			sgr := th.SGR(role, 0)
			if other, ok := seen[sgr]; ok {
				t.Errorf("%s: roles %d and %d look alike", name, other, role)
			}
			seen[sgr] = role
		}
		if th.SGR(SideA, 0) == th.SGR(SideB, 0) || th.SGR(StripIn, 0) == th.SGR(StripOut, 0) {
			t.Errorf("%s: the sides or the strip look alike", name)
		}
	}
	plain := New(NoColor, false)
	if plain.SGR(SideA, 0) == plain.SGR(SideB, 0) {
		t.Error("without colour the sides look alike")
	}
}

func TestGlyphs(t *testing.T) {
	for _, name := range []Name{Dark, Light, NoColor} {
		for _, asciiOnly := range []bool{false, true} {
			g := New(name, asciiOnly).Glyphs
			if g.Spark == asciiOnly {
				t.Errorf("%s, ascii %v: Spark is %v", name, asciiOnly, g.Spark)
			}
			check := func(field string, r rune) {
				if r == 0 && g.Swatch == 0 && strings.Contains(field, "Swatch") {
					return // the parts of the bar have glyphs of their own
				}
				musttest.Is(t, displaywidth.Rune(r), 1, name, "ascii", asciiOnly, field, r)
				if asciiOnly && (r < ' ' || r > '~') {
					t.Errorf("%s: %s %q is not ASCII", name, field, r)
				}
			}
			v := reflect.ValueOf(*g)
			for i := range v.NumField() {
				field := v.Type().Field(i).Name
				switch f := v.Field(i); f.Kind() {
				case reflect.Int32:
					check(field, rune(f.Int()))
				case reflect.Array:
					for k := range f.Len() {
						check(field, rune(f.Index(k).Int()))
					}
				case reflect.String:
					if f.String() == "" {
						t.Errorf("%s, ascii %v: %s is empty", name, asciiOnly, field)
					}
					for _, r := range f.String() {
						check(field, r)
					}
				}
			}
			distinct(t, "states", g.Pinned, g.In, g.Risk, g.Out, g.Dup, g.Negative, g.Excluded, g.Split, g.Chosen, g.Needed)
			distinct(t, "cells of the map", append(g.Strip[:], g.Risk, g.Pinned)...)
			if g.Swatch == 0 { // colours tell them apart otherwise
				distinct(t, "parts of the bar", g.BarPinned, g.BarSelected, g.BarFree, g.BarHeld, g.BarSafety, g.BarOutput, g.BarAbove)
			}
			distinct(t, "levels of the strip", g.Strip[:]...)
			distinct(t, "the budget's column out and in", g.StripHere, g.StripHereIn)
			if name == NoColor || asciiOnly { // no colour tells the column from its neighbours
				distinct(t, "levels and the budget's column", append(g.Strip[:], g.StripHere, g.StripHereIn)...)
			}
		}
	}
}

func distinct(t *testing.T, what string, glyphs ...rune) {
	t.Helper()
	seen := map[rune]bool{}
	for _, r := range glyphs {
		if seen[r] {
			t.Errorf("%s: %q stands for two", what, r)
		}
		seen[r] = true
	}
}

func TestASCII(t *testing.T) {
	for _, c := range []struct{ in, want rune }{{'a', 'a'}, {'~', '~'}, {'→', '>'}, {'·', '-'}, {'—', '-'}, {'≈', '~'}, {'…', '.'}, {'’', '\''}, {'“', '"'}, {'世', '?'}, {'é', '?'}, {0x10ffff, '?'}} {
		musttest.Is(t, ASCII(c.in), c.want, "ASCII", c.in)
	}
	for r := rune(0x7f); r < 0x3000; r++ {
		if got := ASCII(r); got < ' ' || got > '~' {
			t.Errorf("ASCII(%q) = %q", r, got)
		}
	}
}

func TestParse(t *testing.T) {
	for _, n := range Names() {
		if got, err := Parse(string(n)); got != n || err != nil {
			t.Errorf("Parse(%q) = %q, %v", n, got, err)
		}
	}
	if got, err := Parse(""); got != Auto || err != nil {
		t.Errorf("Parse of nothing = %q, %v", got, err)
	}
	_, err := Parse("solarized\x1b[31m")
	if err == nil || !strings.Contains(err.Error(), "auto, dark, light, none") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("an unknown theme: %v", err)
	}
}

func TestThemesDoNotChangeEachOther(t *testing.T) {
	before := *New(Dark, false).Glyphs
	New(NoColor, false)
	musttest.Is(t, *New(Dark, false).Glyphs, before, "making a theme without colour changed the glyphs of another")
}

// With colours both tones of a cell of a bar are seen: neither is the terminal's own.
func TestBothTonesOfACellAreSeen(t *testing.T) {
	for _, name := range []Name{Dark, Light} {
		sgr := New(name, false).SGR(CacheSplit, 0)
		if !strings.Contains(sgr, "38;") || !strings.Contains(sgr, "48;") {
			t.Errorf("%s: %q", name, sgr)
		}
	}
}
