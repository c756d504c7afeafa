package widget

import (
	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
)

// Over is a knob whose values are the axis of strips and of the map, in place of budgets. A
// scale has a place for each value of the grid of the number, from 1; a value between two of
// these has none.
type Over struct {
	Name   string // of the knob
	Items  *model.Set
	Values *simulate.ProfileOver
	Number model.Number
	Now    float64
}

// Same reports whether two axes, which may be nil, are of the same results at the same value.
func (o *Over) Same(other *Over) bool {
	if o == nil || other == nil {
		return o == other
	}
	return o.Values == other.Values && o.Now == other.Now
}

// Limits returns the places of the least and the largest value.
func (o *Over) Limits() (lo, hi model.Tokens) {
	return 1, model.Tokens(max(1, o.Number.Last-o.Number.First+1))
}

// Even reports whether columns hold equally many values. For a number that is never 0, columns
// hold more at larger values, as strips of budgets do.
func (o *Over) Even() bool { return o.Number.First == 0 }

// Scale divides the values into at most width columns.
func (o *Over) Scale(width int) draw.Scale {
	lo, hi := o.Limits()
	return (&Viewport{Lo: lo, Hi: hi, Even: o.Even()}).Scale(width)
}

// Here returns the place of the current value or, if it has none, the place below it.
func (o *Over) Here() model.Tokens {
	at, on := o.Number.Point(o.Now)
	if !on && o.Number.At(at) > o.Now {
		at--
	}
	lo, hi := o.Limits()
	return min(max(lo, model.Tokens(at-o.Number.First+1)), hi)
}

// Text returns the value at a place.
func (o *Over) Text(place model.Tokens) string {
	return NumberText(o.Number, o.Number.At(int64(place)-1+o.Number.First))
}

// NumberText writes a value of a number: tokens and other whole ones as they are everywhere.
func NumberText(n model.Number, v float64) string {
	if n.PerUnit == 1 {
		return model.Tokens(v).String()
	}
	return n.Text(v)
}

// Extent says from which value on an item is first in and from which it stays in, and which
// value there is now.
func (o *Over) Extent(e simulate.Extent) (firstIn, staysFrom, now string) {
	from := func(stretch int32) string {
		if stretch < 0 {
			return "never"
		}
		return NumberText(o.Number, o.Values.Stretches()[stretch].From)
	}
	return from(e.First), from(e.Stays), NumberText(o.Number, o.Now)
}

// Bands returns the places at which an item is in, ascending.
func (o *Over) Bands(item int) []simulate.Band { return o.bands(o.Values.Has(item)) }

// Levels returns the levels of an item's strip along a scale, as StripLevels.
func (o *Over) Levels(s draw.Scale, item int) []uint8 {
	return sizeLevels(s, o.Items.Sizes(item), o.Bands(item), func(dst []simulate.Band, size int) []simulate.Band {
		at := make([]bool, len(o.Values.Stretches()))
		for k, is := range o.Values.SizesOf(item) {
			at[k] = is == size
		}
		return append(dst, o.bands(at)...)
	})
}

// bands returns the places of some stretches.
func (o *Over) bands(at []bool) (bands []simulate.Band) {
	for k, in := range at {
		if !in {
			continue
		}
		s := o.Values.Stretches()[k]
		from, on := o.Number.Point(s.From)
		if !on && o.Number.At(from) < s.From {
			from++
		}
		to, on := o.Number.Point(s.To)
		if !on && o.Number.At(to) > s.To {
			to--
		}
		band := simulate.Band{From: model.Tokens(from - o.Number.First + 1), To: model.Tokens(to - o.Number.First + 1)}
		switch last := len(bands) - 1; {
		case band.From > band.To: // the value between two of the grid alone
		case last >= 0 && bands[last].To+1 == band.From:
			bands[last].To = band.To
		default:
			bands = append(bands, band)
		}
	}
	return bands
}
