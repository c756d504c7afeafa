package command

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"cupelscope/simulate/session"
)

// bySource is the group that has all cases of a source.
const bySource = "source"

// groupOf is the group of a case: what a field of its line says, or its source;
// else all cases over the same conversation are one, which is told by its texts.
func (s *labelledCases) groupOf(p *parcel, opened *session.Opened, fields map[string]string) (string, error) {
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
	group := fields[s.group]
	if group == "" {
		return "", fmt.Errorf("--group: its line has no text or number in the field %.40q", s.group)
	}
	return group, nil
}

// fieldsOfCase are the texts and numbers that the line or the element of a case
// has beside its items; nil where the case is neither.
func fieldsOfCase(p *parcel) map[string]string {
	text := p.line
	switch payload := p.payload.(type) {
	case wholeSource:
		return nil
	case run:
		text = payload.element
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimSpace(text), &raw) != nil {
		return nil
	}
	fields := map[string]string{}
	for key, value := range raw {
		var text string
		var number json.Number
		if json.Unmarshal(value, &text) == nil {
			fields[key] = text
		} else if json.Unmarshal(value, &number) == nil {
			fields[key] = number.String()
		}
	}
	return fields
}

// caseNames are the names under which labels may mean a case: what its line calls
// it, its name here, that without the folder, and of a whole file also without
// the ending.
func caseNames(p *parcel, name string, fields map[string]string) []string {
	var names []string
	one, isRun := p.payload.(run)
	for _, key := range []string{"id", "_id", "qid", "query_id", "query-id", "question_id"} {
		if fields[key] != "" && one.of <= 1 { // else it is the name of several
			names = append(names, fields[key])
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
