package record

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/musttest"
)

// Records are taken in order and are read as one by one, those of a text that is known to be
// valid and those of which some are not, until no more are wanted.
func TestRecordsAreTakenInOrder(t *testing.T) {
	var all [][]byte
	for i := range 9000 { // more than a block, and each block enough for several processors
		all = append(all, fmt.Appendf(nil, `{"n":%d,"list":[1%s],"text":%q}`, i, strings.Repeat(",1", i%50), strings.Repeat("word ", i%101)))
	}
	text := slices.Concat([]byte("["), bytes.Join(all, []byte(",")), []byte("]"))
	var known jsonwalk.Ends
	musttest.Is(t, jsonwalk.ValidEnds(text, &known), true, "the list is valid")
	lines := slices.Clone(all)
	for i := 5; i < len(lines); i += 97 {
		lines[i] = lines[i][:len(lines[i])-1]
	}
	read := func(raw []byte, ends *jsonwalk.Ends) (fields []string) {
		for key, value := range jsonwalk.MembersTo(raw, ends) {
			fields = append(fields, key, string(value))
		}
		return fields
	}
	for _, c := range []struct {
		valid bool
		known *jsonwalk.Ends
		from  [][]byte
		wants int
	}{
		{true, &known, slices.Collect(jsonwalk.ElementsTo(text, &known)), len(all)},
		{true, nil, all, len(all)},
		{false, nil, lines, len(lines)},
		{false, nil, lines, 7000},
		{false, nil, nil, 0},
	} {
		n := 0
		places := func(yield func(Place, []byte) bool) {
			for n, raw := range c.from {
				if !yield(Place{N: n}, raw) {
					return
				}
			}
		}
		InOrder(c.valid, c.known, places, func(n int, raw []byte, ends *jsonwalk.Ends) any {
			if &raw[0] != &c.from[n][0] {
				t.Errorf("%q is read as record %d", raw, n)
			}
			return read(raw, ends)
		}, func(at Place, raw []byte, valid bool, as any) bool {
			fields, _ := as.([]string)
			if at.N != n || &raw[0] != &c.from[n][0] || valid != jsonwalk.Valid(raw) || valid && !slices.Equal(fields, read(raw, nil)) {
				t.Fatalf("record %d is %q, valid %v, read as %q", n, raw, valid, fields)
			}
			n++
			return n != c.wants
		})
		musttest.Is(t, n, c.wants, "records taken")
	}
}
