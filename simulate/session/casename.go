package session

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"cupelscope/model/itemset"
	"cupelscope/simulate/internal/flow"
)

// bySource is the value of --group that puts all cases of a source into one group.
const bySource = "source"

// groupOf returns the group of a case: the value of a field of its line, or its
// source. By default, cases over the same conversation are one group; a hash of the
// texts identifies the conversation.
func groupOf(by string, p *flow.Parcel, opened *Opened, fields caseFields) (string, error) {
	switch by {
	case "":
		if !opened.Conversation {
			return "", nil
		}
		hash := sha256.New()
		for i := range opened.Set.Len() {
			fmt.Fprintf(hash, "%d ", len(opened.Set.Loaded(i).Content))
			hash.Write([]byte(opened.Set.Loaded(i).Content)) // never fails
		}
		return string(hash.Sum(nil)), nil
	case bySource:
		return p.Source, nil
	}
	group := fields.text(by)
	if group == "" {
		return "", fmt.Errorf("--group: its line has no text or number in the field %.40q", by)
	}
	return group, nil
}

// caseFields holds the texts and numbers that the line or array element of a case
// has beside its items. The zero value is for a case that is neither.
type caseFields struct{ itemset.Object }

func fieldsOfCase(p *flow.Parcel) caseFields {
	switch payload := p.Payload.(type) {
	case wholeSource, beirQuery:
		return caseFields{}
	case run:
		return caseFields{itemset.ObjectOf(payload.element)}
	}
	return caseFields{itemset.ObjectOf(p.Line)}
}

// text returns the text or number in a field as text, or "" if the field holds
// something else.
func (f caseFields) text(key string) string {
	if c := f.Type(key); c == '-' || '0' <= c && c <= '9' {
		return string(bytes.TrimSpace(f.Raw(key)))
	}
	return f.Text(key)
}

// caseNames returns the names by which labels may refer to a case: the name in its
// line, its name in the answer, that name without the folder, and for a whole file
// also without the extension.
func caseNames(p *flow.Parcel, name string, fields caseFields) []string {
	if query, ok := p.Payload.(beirQuery); ok {
		return []string{query.id}
	}
	var names []string
	one, isRun := p.Payload.(run)
	for _, key := range []string{"id", "_id", "qid", "query_id", "query-id", "question_id"} {
		if name := fields.text(key); name != "" && one.of <= 1 { // otherwise several cases share the name
			names = append(names, name)
		}
	}
	if p.Number > 0 && !isRun { // its own id may follow the number of the line
		name = fmt.Sprintf("%s:%d", p.Source, p.Number)
	}
	all := sourceNames(name)
	if name != p.Source { // only a whole file loses its extension
		all = all[:2]
	}
	return append(names, all...)
}
