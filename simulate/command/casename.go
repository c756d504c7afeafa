package command

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"cupelscope/model/itemset/record"
	"cupelscope/simulate/session"
)

// bySource is the group that has all cases of a source.
const bySource = "source"

// groupOf is the group of a case: what a field of its line says, or its source;
// else all cases over the same conversation are one, which is told by its texts.
func (s *labelledCases) groupOf(p *parcel, opened *session.Opened, fields caseFields) (string, error) {
	switch s.group {
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
		return p.source, nil
	}
	group := fields.text(s.group)
	if group == "" {
		return "", fmt.Errorf("--group: its line has no text or number in the field %.40q", s.group)
	}
	return group, nil
}

// caseFields are the texts and numbers that the line or the element of a case has
// beside its items; the zero value is that of a case that is neither.
type caseFields struct{ record.Object }

func fieldsOfCase(p *parcel) caseFields {
	switch payload := p.payload.(type) {
	case wholeSource, beirQuery:
		return caseFields{}
	case run:
		return caseFields{record.Open(payload.element)}
	}
	return caseFields{record.Open(p.line)}
}

// text is a text or a number as a text; "" if the field holds something else.
func (f caseFields) text(key string) string {
	if c := f.Type(key); c == '-' || '0' <= c && c <= '9' {
		return string(bytes.TrimSpace(f.Raw(key)))
	}
	return f.Text(key)
}

// caseNames are the names under which labels may mean a case: what its line calls
// it, its name here, that without the folder, and of a whole file also without
// the ending.
func caseNames(p *parcel, name string, fields caseFields) []string {
	if query, ok := p.payload.(beirQuery); ok {
		return []string{query.id}
	}
	var names []string
	one, isRun := p.payload.(run)
	for _, key := range []string{"id", "_id", "qid", "query_id", "query-id", "question_id"} {
		if name := fields.text(key); name != "" && one.of <= 1 { // else it is the name of several
			names = append(names, name)
		}
	}
	if p.number > 0 && !isRun { // its own id may stand behind the number of the line
		name = fmt.Sprintf("%s:%d", p.source, p.number)
	}
	all := session.SourceNames(name)
	if name != p.source { // only a whole file goes without its ending
		all = all[:2]
	}
	return append(names, all...)
}
