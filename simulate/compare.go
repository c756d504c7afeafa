package simulate

import "cupelscope/model"

// Comparison says what two reports over the same items have in common and
// where they differ. Lists hold item indexes, ascending. Values are sums of
// the worth of the items that are not pinned, added in order of index, so
// BothValueA + SizedValueA + OnlyAValue is the Value of report A but for rounding.
type Comparison struct {
	Both, OnlyA, OnlyB                   []int32      // Both: in the same size
	BothTokens, OnlyATokens, OnlyBTokens model.Tokens // Both: as counted in A
	BothValueA, BothValueB               float64      // worth of the items of Both, by the scores of A and of B
	OnlyAValue, OnlyBValue               float64
	ValueBByA                            float64 // value of the items of B by the scores of A

	Sized                      []int32 // in both, in different sizes
	SizedTokensA, SizedTokensB model.Tokens
	SizedValueA, SizedValueB   float64
}

// Compare compares two reports over sets that differ at most in edits: item i
// is the same item in both.
func Compare(a, b *model.Report) Comparison {
	var c Comparison
	for i := range max(len(a.Codes), len(b.Codes)) {
		inA, inB := includes(a, i), includes(b, i)
		if inB && i < len(a.Codes) && a.Codes[i] != model.Pinned { // pairs as one item can pin under one policy alone
			c.ValueBByA += a.Scores[i] * b.Share(i)
		}
		switch {
		case inA && inB && a.Size(i) != b.Size(i):
			c.Sized = append(c.Sized, int32(i))
			c.SizedTokensA += a.Taken(i)
			c.SizedTokensB += b.Taken(i)
			c.SizedValueA += a.Worth(i)
			c.SizedValueB += b.Worth(i)
		case inA && inB:
			c.Both = append(c.Both, int32(i))
			c.BothTokens += a.Taken(i)
			c.BothValueA += a.Worth(i)
			c.BothValueB += b.Worth(i)
		case inA:
			c.OnlyA = append(c.OnlyA, int32(i))
			c.OnlyATokens += a.Taken(i)
			c.OnlyAValue += a.Worth(i)
		case inB:
			c.OnlyB = append(c.OnlyB, int32(i))
			c.OnlyBTokens += b.Taken(i)
			c.OnlyBValue += b.Worth(i)
		}
	}
	return c
}

// Diff returns the items that are in after but not in before, and those that
// are in before but not in after, as ascending item indexes.
func Diff(before, after *model.Report) (in, out []int32) {
	for i := range max(len(before.Codes), len(after.Codes)) {
		if i < len(before.Codes) && i < len(after.Codes) && before.Codes[i] == after.Codes[i] {
			continue // nearly always
		}
		switch was, is := includes(before, i), includes(after, i); {
		case is && !was:
			in = append(in, int32(i))
		case was && !is:
			out = append(out, int32(i))
		}
	}
	return in, out
}

// includes is Report.In for any index: an item that a report does not know is
// not in it.
func includes(r *model.Report, i int) bool { return i < len(r.Codes) && r.In(i) }
