package itemset

import (
	"bytes"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Conversations that are given as arrays of messages: bare, within the request
// that sent them, in the logs of agents, a message or a request a line. A file
// may hold many; Options.Select picks one of them.

func (b *builder) readChat(doc document) error {
	if doc.truncated {
		b.note(1, "document ends early")
	}
	var runs []run
	var loose []message // given one a record
	for place, record := range doc.elements() {
		if err := b.tick(); err != nil {
			return err
		}
		if c := jsonwalk.Type(record); c != '{' && c != '[' {
			if err := b.skipValue(place, record, "a message"); err != nil {
				return err
			}
			continue
		}
		if found := findRuns(place, record); len(found) > 0 {
			runs = append(runs, found...)
			continue
		}
		m, ok, err := b.message(place, record, nil)
		if err != nil {
			return err
		}
		if ok {
			loose = append(loose, m)
		}
	}
	if len(loose) > 0 {
		runs = append(runs, run{})
	}
	switch {
	case len(runs) == 0:
		return nil
	case b.opts.Select > len(runs), len(runs) > 1 && b.opts.Select < 1:
		e := &RunsError{Name: b.name, Selected: max(0, b.opts.Select), Total: len(runs)}
		for i, r := range runs[:min(len(runs), maxRunsNamed)] {
			e.First = append(e.First, fmt.Sprintf("%d: %s", i+1, r.label(loose)))
		}
		return e
	}
	chosen := runs[max(0, b.opts.Select-1)]
	if len(runs) > 1 {
		b.out.Report.add(Changed, fmt.Sprintf("run %v of %v was selected", model.Tokens(b.opts.Select), model.Tokens(len(runs))), "")
	}
	if chosen.messages == nil && chosen.tree == nil {
		return b.addMessages(loose)
	}
	return b.readRun(chosen)
}

// readRun adds the items of one conversation: tool definitions, system prompt, messages.
func (b *builder) readRun(r run) error {
	var all []message
	var tools [][]byte
	for key, value := range jsonwalk.Members(r.request) {
		switch key {
		case "model", "tools", "functions", "system", "instructions", "system_prompt":
			if jsonwalk.Check(value) != nil {
				continue
			}
		}
		switch key {
		case "model":
			if s, ok := jsonwalk.String(value); ok {
				b.out.Model = s
			}
		case "tools", "functions":
			for tool := range jsonwalk.Elements(value) {
				tools = append(tools, tool)
			}
		case "system", "instructions", "system_prompt":
			var in partReader
			if parts := contentParts(value, &in); len(parts) > 0 {
				all = append(all, message{role: "system", parts: parts})
			}
		}
	}
	if r.leaf != "" {
		for range messagesOf(r.tree) - len(branch(r.tree, r.leaf)) {
			b.leftOut(0, "messages of other branches than the last")
		}
	}
	for range r.further {
		b.leftOut(0, "answers besides the first")
	}
	b.unit = "message"
	attached := attachments(r.attached)
	place, answer := 0, -1
	for record, counted := range r.all() {
		place++
		if counted && answer < 0 {
			answer = len(all)
		}
		if err := b.tick(); err != nil {
			return err
		}
		if s, ok := jsonwalk.String(record); ok && jsonwalk.Type(r.messages) == '"' {
			all = append(all, message{place: place, role: "user", parts: []part{{text: s}}})
			continue
		}
		m, ok, err := b.message(place, record, attached)
		if err != nil {
			return err
		}
		if ok {
			all = append(all, m)
		}
	}
	if answer >= 0 {
		b.answered(all[answer:], r.usage)
	}
	b.addTools(tools, all)
	return b.addMessages(all)
}

// attachments are the texts that messages refer to by name; nil if there are none.
func attachments(raw []byte) map[string][]byte {
	if jsonwalk.Type(raw) != '{' || jsonwalk.Check(raw) != nil {
		return nil
	}
	all := map[string][]byte{}
	for key, value := range jsonwalk.Members(raw) {
		if jsonwalk.Type(value) == '"' {
			all[key] = value
		}
	}
	return all
}

// toolName finds the name in a definition of either provider.
func toolName(tool []byte) string {
	name := ""
	for key, value := range jsonwalk.Members(tool) {
		switch key {
		case "name":
			s, _ := jsonwalk.String(value)
			return s
		case "function":
			return toolName(value)
		case "type":
			name, _ = jsonwalk.String(value) // web_search and the like have no other
		}
	}
	if slices.Contains([]string{"function", "custom"}, name) {
		return ""
	}
	return name
}

// skipValue skips a record that is no object.
func (b *builder) skipValue(place int, record []byte, want string) error {
	if jsonwalk.Check(record) != nil {
		return b.skipBroken(place, record)
	}
	return b.skip(place, typeName(jsonwalk.Type(record))+" instead of "+want)
}

// resolve returns what a text of the form attachment://NAME stands for, and
// any other as it is.
func (in *partReader) resolve(raw []byte) []byte {
	if name, ok := bytes.CutPrefix(raw, []byte(`"attachment://`)); ok && len(name) > 0 && len(name) < 200 {
		if text := in.attached[string(name[:len(name)-1])]; text != nil {
			return text
		}
	}
	return raw
}
