package itemset

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Chat messages as OpenAI defines them, and requests with Anthropic's blocks,
// which hold the same things: an array of messages, {"messages": [...]}, a
// message a line, a request a line ({"body": {"messages"}} in batch files), and
// trajectories with such an array under "history", "traj" or in "samples".

// run is one conversation of a file.
type run struct {
	place    int
	request  []byte // the object around the messages; nil for bare messages
	messages []byte // an array; nil for messages given one a record
}

func (b *builder) readOpenAI(doc document) error {
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
		m, ok, err := b.message(place, record)
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
	case b.opts.Select > len(runs):
		return fmt.Errorf("%s holds %s, there is no number %d", b.name, amount(len(runs), "run"), b.opts.Select)
	case len(runs) > 1 && b.opts.Select < 1:
		return fmt.Errorf("%s holds %d runs: select one, from 1 to %d", b.name, len(runs), len(runs))
	}
	chosen := runs[max(0, b.opts.Select-1)]
	if chosen.messages == nil {
		return b.addMessages(loose)
	}
	return b.readRun(chosen)
}

// findRuns finds the conversations in a record that is no message itself.
func findRuns(place int, record []byte) []run { return findRunsAt(place, record, 0) }

func findRunsAt(place int, record []byte, depth int) []run {
	const deepest = 4 // samples within a body, and room to spare
	if depth > deepest {
		return nil
	}
	if jsonwalk.Type(record) == '[' {
		for first := range jsonwalk.Elements(record) {
			if jsonwalk.Type(first) == '{' {
				return []run{{place: place, messages: record}}
			}
			break
		}
		return nil
	}
	var all []run
	for key, value := range jsonwalk.Members(record) {
		switch c := jsonwalk.Type(value); {
		case (key == "messages" || key == "history" || key == "traj") && c == '[':
			all = append(all, run{place, record, value})
		case key == "samples" && c == '[':
			for sample := range jsonwalk.Elements(value) {
				all = append(all, findRunsAt(place, sample, depth+1)...)
			}
		case key == "body" && c == '{':
			all = append(all, findRunsAt(place, value, depth+1)...)
		}
	}
	if len(all) > 1 && all[0].request != nil && jsonwalk.Type(record) == '{' && !hasSamples(record) {
		all = all[:1] // several spellings of one conversation
	}
	return all
}

func hasSamples(record []byte) bool {
	for key := range jsonwalk.Members(record) {
		if key == "samples" {
			return true
		}
	}
	return false
}

// readRun adds the items of one conversation: tool definitions, system prompt, messages.
func (b *builder) readRun(r run) error {
	var all []message
	var tools [][]byte
	if r.request != nil {
		for key, value := range jsonwalk.Members(r.request) {
			if jsonwalk.Check(value) != nil {
				continue // broken below: the messages are read one by one
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
			case "system", "instructions":
				var in partReader
				if parts := contentParts(value, &in); len(parts) > 0 {
					all = append(all, message{place: r.place, role: "system", parts: parts})
				}
			}
		}
	}
	b.unit = "message"
	place := 0
	for record := range jsonwalk.Elements(r.messages) {
		place++
		if err := b.tick(); err != nil {
			return err
		}
		m, ok, err := b.message(place, record)
		if err != nil {
			return err
		}
		if ok {
			all = append(all, m)
		}
	}
	b.addTools(tools, all)
	return b.addMessages(all)
}

// toolName finds the name in a definition of either provider.
func toolName(tool []byte) string {
	for key, value := range jsonwalk.Members(tool) {
		switch key {
		case "name":
			s, _ := jsonwalk.String(value)
			return s
		case "function":
			return toolName(value)
		}
	}
	return ""
}

// skipValue skips a record that is no object.
func (b *builder) skipValue(place int, record []byte, want string) error {
	if jsonwalk.Check(record) != nil {
		return b.skip(place, "not JSON")
	}
	return b.skip(place, typeName(jsonwalk.Type(record))+" instead of "+want)
}

// message reads one message; false if it was skipped.
func (b *builder) message(place int, record []byte) (m message, ok bool, err error) {
	if jsonwalk.Check(record) != nil {
		return m, false, b.skip(place, "not JSON")
	}
	if c := jsonwalk.Type(record); c != '{' {
		return m, false, b.skip(place, typeName(c)+" instead of a message")
	}
	m.place = place
	var content, refusal, calls, legacy []byte
	var callID, tool, thinking string
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "role":
			m.role, _ = jsonwalk.String(value)
		case "id":
			m.id, _ = jsonwalk.String(value)
		case "content":
			content = value
		case "refusal":
			refusal = value
		case "tool_calls":
			calls = value
		case "function_call":
			legacy = value
		case "tool_call_id":
			callID, _ = jsonwalk.String(value)
		case "name":
			tool, _ = jsonwalk.String(value)
		case "reasoning_content", "reasoning", "thought":
			if s, _ := jsonwalk.String(value); s != "" { // of several spellings the others may be null
				thinking = s
			}
		case "timestamp", "created_at":
			if at, ok := parseTime(value); ok {
				m.at = model.Some(at)
			} else if !jsonwalk.IsNull(value) {
				b.note(place, "timestamps not understood, left out")
			}
		}
	}
	if m.role == "" {
		return m, false, b.skip(place, "without a role")
	}
	var in partReader
	if thinking != "" {
		m.parts = append(m.parts, part{kind: thinkingPart, text: thinking})
	}
	switch m.role {
	case "tool", "function":
		m.parts = append(m.parts, resultParts(callID, tool, false, content, &in)...)
	default:
		said := contentParts(content, &in)
		if len(said) == 0 { // refused, whichever of the two keys comes first
			said = contentParts(refusal, &in)
		}
		m.parts = append(m.parts, said...)
		if tool != "" {
			m.meta = map[string]any{"name": tool}
		}
	}
	for call := range jsonwalk.Elements(calls) {
		m.parts = append(m.parts, toolCall(call))
	}
	if jsonwalk.Type(legacy) == '{' {
		m.parts = append(m.parts, functionCall(legacy))
	}
	for _, n := range in.notes {
		b.note(place, n)
	}
	return m, true, nil
}

// toolCall reads {"id", "function": {"name", "arguments"}}.
func toolCall(raw []byte) part {
	var id string
	p := part{kind: callPart, text: compact(raw)}
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "id":
			id, _ = jsonwalk.String(value)
		case "function", "custom":
			p = functionCall(value)
		}
	}
	p.callID = id
	return p
}

// functionCall reads {"name", "arguments"}, the arguments as text or as an object.
func functionCall(raw []byte) part {
	p := part{kind: callPart}
	var input []byte
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "name":
			p.tool, _ = jsonwalk.String(value)
		case "arguments", "input":
			input = value
		}
	}
	p.text = callText(p.tool, input)
	return p
}
