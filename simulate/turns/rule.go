package turns

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
)

// The strategies of a Rule: what agents and frameworks do when the window is full.
const (
	// Clear puts a note in place of the results of tools that are older than the newest.
	Clear Strategy = "clear"
	// Drop takes out calls and results that come before the newest messages.
	Drop Strategy = "drop"
	// Summarise puts one item in place of all that comes before the newest.
	Summarise Strategy = "summarise"
)

// Ruled reports whether a strategy follows a Rule.
func (s Strategy) Ruled() bool { return s == Clear || s == Drop || s == Summarise }

// Rule says when a window is full and what then happens to it, for Clear, Drop and
// Summarise. Windows are in input order. Pinned items and items of Exclude are never
// touched.
//
// A window of more than Trigger tokens, the fixed part included, is full. Where at least
// AtLeast tokens, and at least one, would be freed:
//
//	clear      every result that is not kept and larger than Note becomes a note
//	drop       every call and result that is not kept goes
//	summarise  everything that is not kept becomes one item, where the cut is
//
// Clear keeps the newest Keep results, Drop and Summarise the newest Keep messages.
// KeepTokens keeps beside them, from the newest back, results (for Summarise, items) until
// their tokens reach it, the one that reaches it included. A call and its result are kept
// together: for Summarise the cut moves before the call.
type Rule struct {
	Trigger model.Tokens
	// OfMax says that Trigger is what the window is below the budget's maxTokens when it
	// is full: agents that know the limit of their model keep so much free.
	OfMax      bool
	Keep       int
	KeepTokens model.Tokens
	AtLeast    model.Tokens
	Note       model.Tokens // what stands in place of a result, for Clear
	Summary    model.Tokens // what stands in place of the rest, for Summarise
	// Once leaves done what is done; where the trigger is met again, more is done. Else
	// every window is computed from the whole history, as middlewares without a memory do.
	Once bool
	// Exclude names tools, and kinds of items, that are never touched, in any case of
	// letters.
	Exclude []string
}

// maxKeep is the largest number of results or messages that a rule keeps.
const maxKeep = 1_000_000

// defaultRule returns the rule of a strategy whose keys are not given. Summaries of
// coding agents have some 2,000 tokens.
func defaultRule(s Strategy) Rule {
	switch s {
	case Drop:
		return Rule{Trigger: 0, Keep: 2}
	case Summarise:
		return Rule{Trigger: 16_384, OfMax: true, KeepTokens: 20_000, Summary: 2_000, Once: true}
	}
	return Rule{Trigger: 100_000, Keep: 3, Note: 10}
}

// validate returns an error that names the key and the bound that is broken, or nil.
func (r Rule) validate(s Strategy) error {
	for _, f := range [...]struct {
		key    string
		tokens model.Tokens
	}{{"trigger", r.Trigger}, {"keep-tokens", r.KeepTokens}, {"at-least", r.AtLeast}, {"note", r.Note}, {"summary", r.Summary}} {
		if f.tokens < 0 || f.tokens > model.MaxTokens {
			return fmt.Errorf("%s: %s is %v tokens, must be 0 to %v", s, f.key, f.tokens, model.MaxTokens)
		}
	}
	switch {
	case r.Keep < 0 || r.Keep > maxKeep:
		return fmt.Errorf("%s: keep is %d, must be 0 to %v", s, r.Keep, model.Tokens(maxKeep))
	case s == Summarise && !r.Once:
		return fmt.Errorf("%s: each is time, must be once: a summary stands for what it was made of", s)
	}
	return nil
}

// full returns the number of tokens above which a window is full.
func (r Rule) full(b model.Budget) model.Tokens {
	if r.OfMax {
		return max(0, b.MaxTokens()-r.Trigger)
	}
	return r.Trigger
}

// Excluded returns which items of the history a rule never touches, by index, and which
// of its names stand for none of them.
func (s *History) Excluded(r Rule) (out []bool, idle []string) {
	out = make([]bool, s.Items().Len())
	used := make([]bool, len(r.Exclude))
	for i := range out {
		out[i] = s.Items().Pinned(i)
		kind := s.Items().Loaded(i).Kind
		for k, name := range r.Exclude {
			if kind.Is(model.Kind(name)) || strings.EqualFold(s.Items().Tool(i), name) {
				out[i], used[k] = true, true
			}
		}
	}
	for k, name := range r.Exclude {
		if !used[k] {
			idle = append(idle, name)
		}
	}
	return out, idle
}

// isResult reports whether an item is the result of a tool.
func (s *History) isResult(i int) bool {
	return s.Items().Loaded(i).Kind.Is(model.ToolOutput)
}

// isCall reports whether an item is a call of a tool.
func (s *History) isCall(i int) bool {
	if with, paired := s.Items().Partner(i); paired && with > i {
		return true
	}
	return s.Items().Loaded(i).Metadata["part"] == "toolCall"
}

// following is a rule that follows a history.
type following struct {
	history *History
	rule    Rule
	fixed   model.Tokens // before the items of every window
	full    model.Tokens // a window of more is full
	spared  []bool       // by item: never touched
}

func (s *History) following(p Plan, b model.Budget) following {
	spared, _ := s.Excluded(p.Rule)
	return following{history: s, rule: p.Rule, fixed: p.Fixed, full: p.Rule.full(b), spared: spared}
}

// ruler chooses windows by Summarise, one request after the other.
type ruler struct {
	following
	kept growing // what is in the window; its items may be summaries
	// covered are, for each summary made so far, the items that it stands for.
	covered   [][]int32
	summaries int
}

// A part of a window is an item i in one of its sizes, size << sizeShift + i, where 0 is the
// whole, or stands for items: a note in place of item i is ^i, and the summary that was made as
// number k is firstSummary + k.
const (
	firstSummary = -1 << 31
	sizeShift    = 23 // model.MaxItems is below 1 << sizeShift
)

// standIns are the tokens of what stands in place of items.
type standIns struct {
	note, summary model.Tokens
	own           bool // a note has the tokens of the note of its item, see model.Size
}

func (r Rule) sizes() standIns { return standIns{note: r.Note, summary: r.Summary} }

// inSize returns an item in one of its sizes, and sizeOf the size of a part that is an item.
func inSize(item int32, size int) int32 { return int32(size)<<sizeShift + item }

func sizeOf(part int32) int { return int(part >> sizeShift) }

func isNote(part int32) bool    { return part < 0 && part >= firstSummary/2 }
func isSummary(part int32) bool { return part < firstSummary/2 }

// next returns the window of a request.
func (w *ruler) next(r Request) (Window, error) {
	now := w.forget(w.kept.at(r), r)
	next, read := now, growing{}
	if w.fixed+now.tokens > w.full {
		next, read = w.relieve(now)
	}
	w.kept = next
	window := next.window()
	if read.items != nil {
		asked := read.window()
		window.Asked = &asked
	}
	return window, nil
}

// forget takes out the summaries of which a recorded compaction took out all that they
// stand for.
func (w *ruler) forget(g growing, r Request) growing {
	stale := func(part int32) bool {
		return isSummary(part) && !slices.ContainsFunc(w.covered[part-firstSummary], func(i int32) bool { return w.history.There(r, int(i)) })
	}
	if !slices.ContainsFunc(g.items, stale) {
		return g
	}
	return g.of(slices.DeleteFunc(slices.Clone(g.items), stale))
}

// relieve returns a full window as the rule leaves it, and what the request that writes the
// summary reads; now itself where too little would be freed.
func (w *ruler) relieve(now growing) (next, read growing) {
	parts := w.summarise(now.items)
	if parts == nil {
		return now, growing{}
	}
	next = now.of(parts)
	if now.tokens-next.tokens < max(1, w.rule.AtLeast) {
		return now, growing{}
	}
	w.cover(now.items, parts)
	return next, now
}

// boundary returns the place in parts from which on those that are not spared reach KeepTokens.
func (w *ruler) boundary(parts []int32) int {
	from, tokens := len(parts), model.Tokens(0)
	for at := len(parts) - 1; at >= 0 && tokens < w.rule.KeepTokens; at-- {
		if w.free(parts[at]) {
			from = at
			tokens += w.history.unreplaced(parts[at], w.rule.Summary)
		}
	}
	return from
}

// free reports whether the rule may replace a part.
func (w *ruler) free(part int32) bool { return part < 0 || !w.spared[part] }

// itemOf returns the item that a part is or that a note stands for, and false for a
// summary.
func itemOf(part int32) (item int, ok bool) {
	switch {
	case part >= 0:
		return int(part & (1<<sizeShift - 1)), true
	case isNote(part):
		return int(^part), true
	}
	return 0, false
}

// unreplaced returns the tokens of a part, or of the item that a note stands for.
func (s *History) unreplaced(part int32, summary model.Tokens) model.Tokens {
	if item, ok := itemOf(part); ok {
		return s.Items().Tokens(item)
	}
	return summary
}

// messages returns the place in parts at which the newest Keep messages begin.
func (w *ruler) messages(parts []int32) int {
	from := len(parts)
	for left := w.rule.Keep; left > 0 && from > 0; left-- {
		for from--; from > 0 && w.history.sameMessage(parts[from-1], parts[from]); from-- {
		}
	}
	return from
}

// sameMessage reports whether two neighbouring parts are of one message.
func (s *History) sameMessage(before, part int32) bool {
	a, b := s.itemOrNone(before), s.itemOrNone(part)
	if a < 0 || b < 0 {
		return false
	}
	return s.messages[a] == s.messages[b]
}

func (s *History) itemOrNone(part int32) int {
	if item, ok := itemOf(part); ok {
		return item
	}
	return -1
}

// summarise returns the parts with one summary in place of all that is not kept, or nil where
// that is nothing but a summary.
func (w *ruler) summarise(parts []int32) []int32 {
	s := w.history
	from := min(w.messages(parts), w.boundary(parts))
	place := make(map[int]int, len(parts))
	for at, part := range parts {
		place[int(part)] = at
	}
	for at := len(parts) - 1; at >= from; at-- { // from moves while it is read
		if parts[at] < 0 {
			continue
		}
		if with, paired := s.Items().Partner(int(parts[at])); paired {
			if call, there := place[with]; there {
				from = min(from, call)
			}
		}
	}
	var out []int32
	some := false
	for _, part := range parts[:from] {
		if w.free(part) {
			some = some || part >= 0
		} else {
			out = append(out, part)
		}
	}
	if !some {
		return nil
	}
	out = append(out, int32(firstSummary+w.summaries))
	return append(out, parts[from:]...)
}

// cover remembers what the newest summary stands for: what was in before and is not in
// after.
func (w *ruler) cover(before, after []int32) {
	in := make(map[int32]bool, len(after))
	for _, part := range after {
		in[part] = true
	}
	var items []int32
	for _, part := range before {
		switch {
		case in[part]:
		case isSummary(part):
			was := &w.covered[part-firstSummary] // no window has it again
			items, *was = append(*was, items...), nil
		default:
			items = append(items, part)
		}
	}
	w.covered = append(w.covered, items)
	w.summaries++
}
