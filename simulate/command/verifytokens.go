package command

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate/export"
)

// verification is the result of counting the texts with tiktoken-go under one
// encoding.
type verification struct {
	Encoding    string            `json:"encoding"`
	Texts       int               `json:"texts"` // number of texts that were counted again
	Differences []countDifference `json:"differences"`
	Unverified  []int             `json:"unverified"` // items whose text has a run that is too long for tiktoken-go
}

// countDifference is an item whose two counts differ.
type countDifference struct {
	Index    int          `json:"index"`
	Tokens   model.Tokens `json:"tokens"`
	Tiktoken model.Tokens `json:"tiktoken"`
}

// verify counts all texts again under the encoding of the set and the compared
// encodings.
func (c *census) verify(ctx context.Context, s Streams) error {
	texts := c.texts()
	c.verified = []verification{}
	for _, encoding := range append([]string{c.Encoding()}, c.encodings...) {
		if slices.ContainsFunc(c.verified, func(v verification) bool { return v.Encoding == encoding }) {
			continue
		}
		counter, err := tokens.NewCounter(encoding)
		if err != nil {
			return err
		}
		v := verification{Encoding: encoding, Differences: []countDifference{}, Unverified: []int{}}
		progress := s.progressLine()
		err = counter.Verify(ctx, texts, runtime.GOMAXPROCS(0), func(one tokens.Verification) {
			switch {
			case one.Unverified:
				v.Unverified = append(v.Unverified, one.Index)
			case one.Differs():
				v.Differences = append(v.Differences, countDifference{one.Index, one.Tokens, one.Reference})
				fallthrough
			default:
				v.Texts++
			}
			progress.show(func() string {
				return fmt.Sprintf("verifying %s: %v of %s", encoding, plain.Thousands(v.Texts+len(v.Unverified)), plain.Count(len(texts), "text"))
			})
		})
		progress.clear()
		if err != nil {
			return fmt.Errorf("verifying counts: %w", err)
		}
		slices.Sort(v.Unverified)
		sort.Slice(v.Differences, func(i, j int) bool { return v.Differences[i].Index < v.Differences[j].Index })
		c.verified = append(c.verified, v)
	}
	return nil
}

// differing returns an *answeredError if verify found differences.
func (c *census) differing() error {
	differing, texts := 0, 0
	for _, v := range c.verified {
		differing += len(v.Differences)
		texts += v.Texts
	}
	if differing == 0 {
		return nil
	}
	return &answeredError{Failed, fmt.Sprintf("%d of %d counts differ from those of tiktoken-go", differing, texts)}
}

// lines returns the verification as lines for a person.
func (v verification) lines() []string {
	lines := []string{fmt.Sprintf("%s, counted again with tiktoken-go: %s, %s", v.Encoding, plain.Count(v.Texts, "text"), differences(len(v.Differences)))}
	for _, d := range v.Differences {
		lines = append(lines, fmt.Sprintf("  #%d: %s, tiktoken-go counts %v", d.Index, plain.Count(d.Tokens, "token"), d.Tiktoken))
	}
	if len(v.Unverified) > 0 {
		names := plain.Texts(v.Unverified, func(i int) string { return "#" + strconv.Itoa(i) })
		lines = append(lines, fmt.Sprintf("  not verified, because a run of more than %v characters has no break: %s", plain.Thousands(tokens.MaxVerifiedRun), strings.Join(names, ", ")))
	}
	return lines
}

func differences(n int) string {
	if n == 0 {
		return "no difference"
	}
	return plain.Count(n, "difference")
}

func verifiedCell(all []verification) export.Cell {
	text, _ := json.Marshal(all) // numbers and names cannot fail
	return export.Raw(text)
}
