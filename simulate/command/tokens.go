package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// tokensOptions say which token counts tokens writes.
type tokensOptions struct {
	answerOptions
	By grouping // "": byItem
	// Compare lists encodings that also count every text, whatever count it has;
	// "all" means every encoding.
	Compare []string
	// Verify counts every text again with tiktoken-go, under each encoding in
	// use. writeTokens returns an *answeredError if any count differs.
	Verify bool
}

// grouping says what a row of token counts is about.
type grouping string

const (
	byItem       grouping = "item"
	byKind       grouping = "kind"
	byProvenance grouping = "count" // by where counts come from
)

// groupings returns all groupings.
func groupings() []grouping { return []grouping{byItem, byKind, byProvenance} }

// writeTokens counts the tokens of the sources and writes the count of each item with the
// provenance of the count, and the sums by kind and by provenance. A count is given
// by the file, counted, estimated, or opaque: guessed from the size of something
// that is not text. For each encoding in Compare there is a column with the exact
// counts of the texts alone.
func writeTokens(ctx context.Context, o session.Options, t tokensOptions, s Streams) error {
	s = t.muted(s)
	encodings, err := comparedEncodings(t.Compare)
	if err != nil {
		return err
	}
	if t.Verify && o.Estimate != "" {
		return errors.New("--verify counts with an encoding: it cannot be combined with --estimate")
	}
	opened, err := session.OpenCounted(ctx, o, s.input())
	if err != nil {
		return err
	}
	opened.Warnings, opened.Guessed = nil, false // it is not about a budget
	if note := opened.CountNote(); note != "" {
		opened.Warnings = []string{note}
	}
	t.diagnose(opened, s)
	c := &census{study: study{Opened: opened, answerOptions: t.answerOptions}, encodings: encodings, model: cmp.Or(o.Model, opened.Model)}
	if family, ok := tokens.FindModel(c.model); ok {
		c.window = family.Window
	}
	if err := c.compare(ctx); err != nil {
		return err
	}
	if t.Verify {
		if err := c.verify(ctx, s); err != nil {
			return err
		}
	}
	if err := s.write(ctx, t.Output, c.sheet(cmp.Or(t.By, byItem))); err != nil {
		return err
	}
	if t.Output == export.AsCSV {
		for _, v := range c.verified { // CSV does not have it
			s.sayAll(v.lines())
		}
	}
	return c.differing()
}

// comparedEncodings parses a list of names, in which "all" means every encoding.
// The result has no duplicates.
func comparedEncodings(names []string) ([]string, error) {
	var all []string
	for _, name := range names {
		of := []string{name}
		if strings.EqualFold(name, "all") {
			of = tokens.Encodings()
		}
		for _, encoding := range of {
			if _, err := tokens.NewCounter(encoding); err != nil || encoding == "" {
				return nil, fmt.Errorf("--compare: %w", &tokens.EncodingError{Name: encoding})
			}
			if !slices.Contains(all, encoding) {
				all = append(all, encoding)
			}
		}
	}
	return all, nil
}

// census is what is known about the token counts of a set.
type census struct {
	study
	model     string
	window    model.Tokens // context window of model; 0: unknown
	encodings []string     // compared
	counts    [][]model.Tokens
	verified  []verification // nil: verification was not asked for
}

// texts returns the texts of all items that are text.
func (c *census) texts() []tokens.Text {
	var all []tokens.Text
	for i := range c.Set.Len() {
		if c.Set.Loaded(i).Count != model.Opaque {
			all = append(all, tokens.Text{Index: i, Content: c.Set.Loaded(i).Content})
		}
	}
	return all
}

// compare counts the text of every item that is text with the encodings that were
// asked for.
func (c *census) compare(ctx context.Context) error {
	texts := c.texts()
	for _, encoding := range c.encodings {
		counter, err := tokens.NewCounter(encoding)
		if err != nil {
			return err
		}
		column := make([]model.Tokens, c.Set.Len())
		err = counter.CountAll(ctx, texts, runtime.GOMAXPROCS(0), func(p tokens.Progress) {
			for _, r := range p.Recounts {
				column[r.Index] = r.Tokens
			}
		})
		if err != nil {
			return fmt.Errorf("counting with %s: %w", encoding, err)
		}
		c.counts = append(c.counts, column)
	}
	return nil
}

// tokenSum is how many items and tokens have a name in common, as a kind.
type tokenSum struct {
	Name   string
	Items  int
	Tokens model.Tokens
}

// tally sums items by name, the names with most tokens first.
func (c *census) tally(name func(i int) string) []tokenSum {
	at := map[string]int{}
	var all []tokenSum
	for i := range c.Set.Len() {
		n := name(i)
		k, ok := at[n]
		if !ok {
			k = len(all)
			at[n] = k
			all = append(all, tokenSum{Name: n})
		}
		all[k].Items++
		all[k].Tokens += c.Set.Tokens(i)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Tokens > all[j].Tokens })
	return all
}

func (c *census) kind(i int) string       { return string(c.Set.Kinds()[c.Set.KindID(i)]) }
func (c *census) provenance(i int) string { return c.Set.Count(i).String() }

func (c *census) bytes() int {
	sum := 0
	for i := range c.Set.Len() {
		sum += len(c.Set.Loaded(i).Content)
	}
	return sum
}

// title returns a line that says what was counted and how.
func (c *census) title() string {
	title := fmt.Sprintf("%s [%s]  %s, %s", c.Name(), c.Format, plain.Count(c.Set.Len(), "item"), plain.Count(c.Set.Total(), "token"))
	if !c.counted() {
		return title
	}
	how := "counted with " + c.Encoding()
	if c.Method.StandIn {
		how = fmt.Sprintf("estimated as %s times %v", c.Encoding(), c.Method.Factor)
	}
	if c.Method.Overhead > 0 {
		how += fmt.Sprintf(", %v more for each message", c.Method.Overhead)
	}
	return title + "; what the source does not count is " + how
}

// counted reports whether the program itself made any of the counts.
func (c *census) counted() bool {
	for i := range c.Set.Len() {
		if count := c.Set.Count(i); count == model.Exact || count == model.Estimated {
			return true
		}
	}
	return false
}

// closing returns the lines of sums below the rows.
func (c *census) closing(by grouping) []string {
	var lines []string
	sums := func(heading string, all []tokenSum) {
		width, wide := 0, 0
		for _, t := range all {
			width, wide = max(width, plain.Width(plain.Line(t.Name, kindCells))), max(wide, len(t.Tokens.String()))
		}
		lines = append(lines, heading)
		for _, t := range all {
			name := plain.Line(t.Name, kindCells)
			_, unit, _ := strings.Cut(plain.Count(t.Tokens, "token"), " ")
			lines = append(lines, fmt.Sprintf("  %s%s  %*v %-6s  %5s  %s", name, strings.Repeat(" ", width-plain.Width(name)), wide, t.Tokens, unit, c.share(t.Tokens), plain.Count(t.Items, "item")))
		}
	}
	if by != byKind {
		sums("by kind:", c.tally(c.kind))
	}
	if by != byProvenance {
		sums("by where counts come from:", c.tally(c.provenance))
	}
	total := "total: " + plain.Count(c.Set.Total(), "token") + ", " + plain.Count(c.bytes(), "byte")
	if c.window > 0 {
		if ratio := float64(c.Set.Total()) / float64(c.window); ratio < 10 {
			total += fmt.Sprintf("; %.1f %% of", 100*ratio)
		} else {
			total += fmt.Sprintf("; %.1f times", ratio)
		}
		total += fmt.Sprintf(" the window of %s, %v", plain.Line(c.model, 40), c.window)
	}
	lines = append(lines, total)
	for k, encoding := range c.encodings {
		lines = append(lines, fmt.Sprintf("%s: %s", encoding, plain.Count(sum(c.counts[k]), "token")))
	}
	for _, v := range c.verified {
		lines = append(lines, v.lines()...)
	}
	return lines
}

// kindCells is the width of the column for the name of a kind, in cells.
const kindCells = 24

// share returns a part of the set's total in percent, or "-" if the total is 0.
func (c *census) share(t model.Tokens) string {
	if c.Set.Total() <= 0 {
		return "-"
	}
	return plain.Percent(float64(t) / float64(c.Set.Total()))
}

func sum(all []model.Tokens) (total model.Tokens) {
	for _, t := range all {
		total += t
	}
	return total
}
