package itemset

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/itemset/record"
	"cupelscope/model/plain"
)

// Outcome says what became of the records that an Entry counts.
type Outcome = record.Outcome

const (
	Skipped = record.Skipped
	LeftOut = record.LeftOut
	Changed = record.Changed
	Unread  = record.Unread
)

// Entry counts the records with one outcome for one reason.
type Entry struct {
	Outcome Outcome
	Reason  string
	Count   int
	Places  []string // the first few: "line 12", "record 3"
}

// maxReasons bounds the entries of an outcome, and so what counting a record
// costs: what is wrong in further ways is counted as one more entry.
const maxReasons = 64

// maxPaths is maxReasons for members that were not read.
const maxPaths = 512

// full reports whether an outcome has as many entries as it may.
func (r *Report) full(outcome Outcome) bool {
	n, most := 0, maxReasons
	if outcome == Unread {
		most = maxPaths
	}
	for i := range r.Entries {
		if r.Entries[i].Outcome == outcome {
			n++
		}
	}
	return n >= most
}

// maxPlaces is how many places an Entry keeps.
const maxPlaces = 5

// maxSourceLines is how many sources Lines tells one by one.
const maxSourceLines = 20

const otherReasons = "for other reasons"

// Report says what a loader did. The zero value: nothing to say.
type Report struct {
	Items     int // loaded
	Estimated int // of them, with a count that is an estimate
	Opaque    int // of them, payloads that are no text, with a guess
	// OpaqueBytes is the size of those payloads, as far as it was read.
	OpaqueBytes int64
	Usage       record.Usage // what the sources say themselves
	Entries     []Entry
	Sources     []SourceCount // what each source gave

	source string // prefix of places when there are several sources
}

// merge adds the entries of another report.
func (r *Report) merge(entries []Entry) {
	for _, e := range entries {
		i := slices.IndexFunc(r.Entries, func(have Entry) bool { return have.Outcome == e.Outcome && have.Reason == e.Reason })
		switch {
		case i >= 0:
			have := &r.Entries[i]
			have.Count += e.Count
			have.Places = append(have.Places, e.Places[:min(len(e.Places), maxPlaces-len(have.Places))]...)
		case r.full(e.Outcome) && e.Reason != otherReasons:
			e.Reason = otherReasons
			r.merge([]Entry{e})
		default:
			r.Entries = append(r.Entries, e)
		}
	}
}

// addFile is add for a whole file.
func (r *Report) addFile(outcome Outcome, reason, name string) {
	source := r.source
	r.source = ""
	r.add(outcome, reason, filePlace+name)
	r.source = source
}

// filePlace begins the place that is a whole file.
const filePlace = "file "

// addMany is add for as many records whose places do not matter.
func (r *Report) addMany(outcome Outcome, reason string, n int) {
	r.add(outcome, reason, "")
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Outcome == outcome && (e.Reason == reason || e.Reason == otherReasons) {
			e.Count += n - 1
			return
		}
	}
}

// counted counts a record for which no further place is kept; false if there is
// none yet with the outcome and reason, or a place to keep.
func (r *Report) counted(outcome Outcome, reason string) bool {
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Outcome == outcome && e.Reason == reason && len(e.Places) == maxPlaces {
			e.Count++
			return true
		}
	}
	return false
}

func (r *Report) add(outcome Outcome, reason, place string) {
	if r.source != "" && place != "" {
		place = r.source + " " + place
	}
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Outcome == outcome && e.Reason == reason {
			e.Count++
			if place != "" && len(e.Places) < maxPlaces {
				e.Places = append(e.Places, place)
			}
			return
		}
	}
	if r.full(outcome) && reason != otherReasons {
		r.add(outcome, otherReasons, place)
		return
	}
	e := Entry{Outcome: outcome, Reason: reason, Count: 1}
	if place != "" {
		e.Places = []string{place}
	}
	r.Entries = append(r.Entries, e)
}

// Count is the number of records with an outcome.
func (r *Report) Count(outcome Outcome) int {
	n := 0
	for _, e := range r.Entries {
		if e.Outcome == outcome {
			n += e.Count
		}
	}
	return n
}

// Summary is the report on one line: "loaded 61 items; skipped 3 records: 2 not
// JSON, 1 unknown type". Reasons come largest first. Texts taken from the
// source are in it: clean it before it is drawn.
func (r *Report) Summary() string {
	parts := []string{"loaded " + plain.Count(r.Items, "item")}
	for _, p := range [...]struct {
		outcome Outcome
		verb    string
	}{{Skipped, "skipped"}, {LeftOut, "left out"}} {
		if n := r.Count(p.outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s: %s", p.verb, plain.Count(n, r.unit(p.outcome)), r.list(p.outcome)))
		}
	}
	for _, e := range r.sorted(Changed) {
		parts = append(parts, e.text())
	}
	if n := r.Count(Unread); n > 0 {
		parts = append(parts, "not read: "+r.paths())
	}
	if r.Opaque > 0 {
		parts = append(parts, r.opaque())
	}
	if r.Estimated > 0 {
		parts = append(parts, plain.Count(r.Estimated, "count")+" estimated")
	}
	return strings.Join(parts, "; ")
}

// Lines is the report in full, a line a reason, with the first few places.
func (r *Report) Lines() []string {
	all := []string{"loaded " + plain.Count(r.Items, "item")}
	all = append(all, r.sourceLines()...)
	for _, p := range [...]struct {
		outcome Outcome
		verb    string
	}{{Skipped, "skipped "}, {LeftOut, "left out "}, {Changed, ""}, {Unread, "not read: "}} {
		for _, e := range r.sorted(p.outcome) {
			line := p.verb + e.text()
			if p.outcome == Skipped {
				line = fmt.Sprintf("skipped %v: %s", plain.Thousands(e.Count), e.Reason)
			}
			if len(e.Places) > 0 {
				line += " (" + strings.Join(e.Places, ", ")
				if e.Count > len(e.Places) {
					line += ", ..."
				}
				line += ")"
			}
			all = append(all, line)
		}
	}
	if r.Opaque > 0 {
		all = append(all, r.opaque())
	}
	if r.Estimated > 0 {
		all = append(all, plain.Count(r.Estimated, "token count")+" estimated")
	}
	if u := r.Usage; u.Messages > 0 {
		all = append(all, fmt.Sprintf("the provider counted %s: %v tokens written in all, %v given and written with the last",
			plain.Count(u.Messages, "answer"), u.Output, u.Context))
	}
	return all
}

// paths names the members that were not read, the most frequent first.
func (r *Report) paths() string {
	const named = 3
	all := r.sorted(Unread)
	var names []string
	for _, e := range all[:min(len(all), named)] {
		names = append(names, e.Reason)
	}
	text := strings.Join(names, ", ")
	if n := len(all) - len(names); n > 0 {
		text += " and " + plain.Count(n, "more member")
	}
	return text
}

func (r *Report) opaque() string {
	text := plain.Count(r.Opaque, "payload") + " without text"
	if r.OpaqueBytes > 0 {
		text += fmt.Sprintf(", %v bytes", plain.Thousands(r.OpaqueBytes))
	}
	return text + ", guessed by size"
}

// sourceLines tells what each of several sources gave, text files together.
func (r *Report) sourceLines() []string {
	if len(r.Sources) < 2 {
		return nil
	}
	var all []string
	texts, more := 0, 0
	for _, s := range r.Sources {
		switch {
		case s.Format == Text && s.Items == 1:
			texts++
		case len(all) < maxSourceLines:
			all = append(all, fmt.Sprintf("%s: %s [%s]", s.Name, plain.Count(s.Items, "item"), s.Format))
		default:
			more++
		}
	}
	if more > 0 {
		all = append(all, fmt.Sprintf("and %v more sources", plain.Thousands(more)))
	}
	if texts > 0 {
		all = append(all, fmt.Sprintf("%s, an item each [%s]", plain.Count(texts, "text file"), Text))
	}
	return all
}

func (e *Entry) text() string {
	if len(e.Places) == 0 && e.Count == 1 {
		return e.Reason
	}
	return fmt.Sprintf("%v %s", plain.Thousands(e.Count), e.Reason)
}

// reasons tells a reader why nothing was found.
func (r *Report) reasons() string {
	if n := r.Count(Skipped) + r.Count(LeftOut); n > 0 {
		list := strings.Trim(r.list(Skipped)+", "+r.list(LeftOut), ", ")
		const file = "file"
		unit := "record"
		if (r.Count(Skipped) == 0 || r.unit(Skipped) == file) && (r.Count(LeftOut) == 0 || r.unit(LeftOut) == file) {
			unit = file
		}
		return fmt.Sprintf("%s: %s", plain.Count(n, unit), list)
	}
	return ""
}

func (r *Report) unit(outcome Outcome) string {
	unit := ""
	for _, e := range r.Entries {
		if e.Outcome != outcome {
			continue
		}
		for _, p := range e.Places {
			words := strings.Fields(p)
			w := words[len(words)-2]
			if strings.HasPrefix(p, filePlace) {
				w = "file"
			}
			if unit == "" {
				unit = w
			} else if unit != w {
				return "record"
			}
		}
	}
	if unit == "" {
		return "record"
	}
	return unit
}

func (r *Report) list(outcome Outcome) string {
	var all []string
	for _, e := range r.sorted(outcome) {
		all = append(all, fmt.Sprintf("%v %s", plain.Thousands(e.Count), e.Reason))
	}
	return strings.Join(all, ", ")
}

func (r *Report) sorted(outcome Outcome) []Entry {
	var all []Entry
	for _, e := range r.Entries {
		if e.Outcome == outcome {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return b.Count - a.Count })
	return all
}
