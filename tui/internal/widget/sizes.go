package widget

import (
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
)

// StripLevels returns the levels of an item's strip along a scale, from the bands at which
// the item is in. Where it has sizes, the levels tell them apart, see draw.LevelCut. The bands
// of each size cost as much as Profile.SizeBands.
func StripLevels(p *simulate.Profile, s draw.Scale, item int) []uint8 {
	return sizeLevels(s, p.Ranking().Items().Sizes(item), p.Bands(nil, item), func(dst []simulate.Band, size int) []simulate.Band {
		return p.SizeBands(dst, item, size)
	})
}

// sizeLevels is StripLevels for an item with sizes that is in at bands. of appends the bands
// of one size.
func sizeLevels(s draw.Scale, sizes []model.Size, bands []simulate.Band, of func(dst []simulate.Band, size int) []simulate.Band) []uint8 {
	levels := s.Levels(nil, bands)
	if len(sizes) == 0 {
		return levels
	}
	cuts := len(sizes)
	var notes []simulate.Band
	if sizes[cuts-1].Note {
		notes = of(nil, cuts)
		cuts--
	}
	whole := of(nil, 0)
	larger := slices.Clone(whole)
	for size := 1; size <= cuts/2; size++ {
		larger = of(larger, size)
	}
	sort.Slice(larger, func(i, j int) bool { return larger[i].From < larger[j].From })
	wholeAt, largerAt, noteAt := s.Levels(nil, whole), s.Levels(nil, larger), s.Levels(nil, notes)
	const all = 4
	for k, level := range levels {
		switch {
		case level == 0 && noteAt[k] > 0:
			levels[k] = draw.LevelNote
		case level < all || wholeAt[k] == all:
		case largerAt[k] == all:
			levels[k] = draw.LevelCutLess
		default:
			levels[k] = draw.LevelCut
		}
	}
	return levels
}

// SizeText returns in which size an item is in, or its note, with the tokens of the whole:
// "500 of 1,301", "note of 1,301"; "" where it is whole, or out without a note.
func SizeText(r *model.Report, i int, number func(model.Tokens) string) string {
	switch {
	case r.Shrunk(i):
		return number(r.Taken(i)) + " of " + number(r.Items.Tokens(i))
	case r.Noted(i):
		return "note of " + number(r.Items.Tokens(i))
	}
	return ""
}
