package itemset

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// Outcome says what became of the records that an Entry counts: Skipped, LeftOut,
// Changed, Damaged or Unread.
type Outcome = record.Outcome

const (
	Skipped = record.Skipped
	LeftOut = record.LeftOut
	Changed = record.Changed
	Damaged = record.Damaged
	Unread  = record.Unread
)

// Entry counts the records that have one outcome for one reason.
type Entry struct {
	Outcome Outcome
	Reason  string // for Unread the path of the member
	Count   int
	Places  []string // the first 5 places that are known, as in "line 12" or "record 3"
}

// maxReasons is the largest number of entries of an outcome, which bounds the cost
// of counting a record. Records with further reasons are counted together in one
// more entry.
const maxReasons = 64

// maxPaths is the same for the outcome Unread, whose reasons are paths.
const maxPaths = 512

// full reports whether an outcome has the largest number of entries.
func (r *Report) full(outcome Outcome) bool {
	left := maxReasons
	if outcome == Unread {
		left = maxPaths
	}
	for i := range r.Entries {
		if r.Entries[i].Outcome == outcome {
			left--
		}
	}
	return left <= 0
}

// maxPlaces is the largest number of places that an Entry keeps.
const maxPlaces = 5

// maxSourceLines is the largest number of sources that Lines lists one by one.
const maxSourceLines = 20

const otherReasons = "for other reasons"

// Report says what a loader did with its sources. The zero Report has nothing to
// say.
type Report struct {
	Items     int // number of items loaded
	Estimated int // how many of them have an estimate for their token count
	Opaque    int // how many of them are payloads without text, whose token count is guessed from their size
	// OpaqueBytes is the total size of those payloads, as far as it is known.
	OpaqueBytes int64
	Usage       record.Usage  // token counts that the sources themselves give
	Entries     []Entry       // what was not read as it stands, in the order in which it was met
	Sources     []SourceCount // the number of items from each source, in their order

	source string // put before places if there are several sources; "" if there is one
}

// put counts an entry with the entry of the same outcome and reason, or else adds it to the
// report.
func (r *Report) put(e Entry) {
	i := slices.IndexFunc(r.Entries, func(have Entry) bool { return have.Outcome == e.Outcome && have.Reason == e.Reason })
	switch {
	case i >= 0:
		have := &r.Entries[i]
		have.Count += e.Count
		have.Places = append(have.Places, e.Places[:min(len(e.Places), maxPlaces-len(have.Places))]...)
	case r.full(e.Outcome) && e.Reason != otherReasons:
		e.Reason = otherReasons
		r.put(e)
	default:
		r.Entries = append(r.Entries, e)
	}
}

func (r *Report) addFile(outcome Outcome, reason, name string) {
	r.put(Entry{outcome, reason, 1, []string{filePlace + name}})
}

// filePlace begins a place that is a whole file.
const filePlace = "file "

// counted counts a record in the entry of its outcome and reason, if that entry keeps no
// further place, and reports whether it did.
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
	e := Entry{Outcome: outcome, Reason: reason, Count: 1}
	if place != "" {
		e.Places = []string{place}
		if r.source != "" {
			e.Places[0] = r.source + " " + place
		}
	}
	r.put(e)
}

// Count returns the number of records with an outcome.
func (r *Report) Count(outcome Outcome) int {
	n := 0
	for _, e := range r.sorted(outcome) {
		n += e.Count
	}
	return n
}

// Summary returns the report on one line, as in "skipped 3 records: 2 not JSON, 1
// item without content; loaded 61 items". What is damaged comes first, and of several reasons
// the most frequent. The line may hold texts from the source, so it must be cleaned
// before it is drawn.
func (r *Report) Summary() string {
	var parts []string
	for _, e := range r.sorted(Damaged) {
		parts = append(parts, "damaged: "+e.text()+e.places())
	}
	tell := func(outcome Outcome, verb string) {
		if n := r.Count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s: %s", verb, plain.Count(n, r.unit(outcome)), r.list(outcome)))
		}
	}
	tell(Skipped, "skipped")
	parts = append(parts, "loaded "+plain.Count(r.Items, "item"))
	tell(LeftOut, "left out")
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

// Lines returns the full report: a line for each reason, with its first few places.
// The lines may hold texts from the source, as in Summary.
func (r *Report) Lines() []string {
	all := []string{"loaded " + plain.Count(r.Items, "item")}
	all = append(all, r.sourceLines()...)
	for _, p := range [...]struct {
		outcome Outcome
		verb    string
	}{{Damaged, "damaged: "}, {Skipped, "skipped "}, {LeftOut, "left out "}, {Changed, ""}, {Unread, "not read: "}} {
		for _, e := range r.sorted(p.outcome) {
			line := p.verb + e.text()
			if p.outcome == Skipped && singular(e.Reason) == e.Reason { // it does not say what it counts
				line = fmt.Sprintf("skipped %v: %s", plain.Thousands(e.Count), e.Reason)
			}
			all = append(all, line+e.places())
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

// paths names the first few members that were not read, the most frequent first.
func (r *Report) paths() string {
	const named = 3
	all := r.sorted(Unread)
	names := plain.Texts(all[:min(len(all), named)], func(e Entry) string { return e.Reason })
	text := strings.Join(names, ", ")
	if n := len(all) - len(names); n > 0 {
		text += " and " + plain.Count(n, "more member")
	}
	return text
}

func (r *Report) opaque() string {
	text := plain.Count(r.Opaque, "payload") + " without text"
	if r.OpaqueBytes > 0 {
		text += ", " + plain.Count(r.OpaqueBytes, "byte")
	}
	return text + ", guessed by size"
}

// sourceLines returns a line for each of several sources with its number of items.
// Text files are counted together. For a single source it returns nil.
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
		all = append(all, "and "+plain.Count(more, "more source"))
	}
	if texts > 0 {
		all = append(all, fmt.Sprintf("%s, one item each [%s]", plain.Count(texts, "text file"), Text))
	}
	return all
}

// places returns the places of an entry in parentheses, "" if none is known.
func (e *Entry) places() string {
	if len(e.Places) == 0 {
		return ""
	}
	text := " (" + strings.Join(e.Places, ", ")
	if e.Count > len(e.Places) {
		text += ", ..."
	}
	return text + ")"
}

func (e *Entry) text() string {
	if e.Outcome == Damaged && e.Count > 1 { // a sentence: nothing is counted
		return fmt.Sprintf("%s, %v times", e.Reason, plain.Thousands(e.Count))
	}
	if e.Count == 1 && (len(e.Places) == 0 || singular(e.Reason) == e.Reason) { // nothing is counted
		return e.Reason
	}
	return CountReason(e.Count, e.Reason)
}

// reasons returns on one line why records were skipped or left out, or "" if none
// were, and that the source is not whole. It explains a source without items.
func (r *Report) reasons() string {
	text := r.refused()
	for _, e := range r.sorted(Damaged) {
		text = strings.TrimPrefix(text+"; "+e.Reason, "; ")
	}
	return text
}

// onlyTorn reports whether nothing was refused but what is not JSON.
func (r *Report) onlyTorn() bool {
	return !slices.ContainsFunc(r.Entries, func(e Entry) bool {
		return (e.Outcome == Skipped || e.Outcome == LeftOut) && e.Reason != notJSON
	})
}

func (r *Report) refused() string {
	n := r.Count(Skipped) + r.Count(LeftOut)
	if n == 0 {
		return ""
	}
	const file = "file"
	unit := "record"
	if (r.Count(Skipped) == 0 || r.unit(Skipped) == file) && (r.Count(LeftOut) == 0 || r.unit(LeftOut) == file) {
		unit = file
	}
	return plain.Count(n, unit) + ": " + strings.Trim(r.list(Skipped)+", "+r.list(LeftOut), ", ")
}

// unit returns what the places of an outcome count, "record" if they do not count the same.
func (r *Report) unit(outcome Outcome) string {
	all := ""
	for _, e := range r.sorted(outcome) {
		for _, p := range e.Places {
			unit := "file"
			if !strings.HasPrefix(p, filePlace) {
				words := strings.Fields(p)
				unit = words[len(words)-2]
			}
			if all != "" && unit != all {
				return "record"
			}
			all = unit
		}
	}
	return cmp.Or(all, "record")
}

func (r *Report) list(outcome Outcome) string {
	var all []string
	for _, e := range r.sorted(outcome) {
		text := CountReason(e.Count, e.Reason)
		if strings.HasPrefix(e.Reason, "the ") || strings.HasPrefix(e.Reason, "it ") { // a sentence, not what is counted
			text = e.Reason
			if e.Count > 1 {
				text += " (" + plain.Thousands(e.Count) + ")"
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func (r *Report) sorted(outcome Outcome) []Entry {
	all := slices.DeleteFunc(slices.Clone(r.Entries), func(e Entry) bool { return e.Outcome != outcome })
	sort.SliceStable(all, func(i, j int) bool { return all[i].Count > all[j].Count })
	return all
}
