package itemset

import (
	"fmt"
	"iter"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Where conversations are found in a file: requests and answers of either
// provider, lines of batches, logs of agents, collections of dialogues.

// run is one conversation of a file.
type run struct {
	place    int
	record   []byte // what all of it is in
	request  []byte // the object around the messages; nil for bare messages
	messages []byte // an array, one message or a text; nil for messages given one a record
	answer   []byte // what the model answered to the request, like messages
	usage    []byte // of the answer, or of the messages if they are one
	tree     []byte // messages by name, in place of an array of them
	leaf     string // the last of them
	further  int    // answers that were given besides
	attached []byte // texts that messages refer to, by name
}

// RunsError says that a source holds several conversations and none was
// selected, or not so many.
type RunsError struct {
	Name     string
	Selected int      // from 1; 0: none
	Total    int      // conversations in the source
	First    []string // what the first of them are
}

func (e *RunsError) Error() string {
	if e.Total == 1 {
		return fmt.Sprintf("%s holds 1 run, there is no number %d: leave out --select", e.Name, e.Selected)
	}
	head := fmt.Sprintf("%s holds %v runs", e.Name, model.Tokens(e.Total))
	if e.Selected > e.Total {
		head += fmt.Sprintf(", there is no number %d", e.Selected)
	}
	list := strings.Join(e.First, "; ")
	if len(e.First) < e.Total {
		list += "; ..."
	}
	return fmt.Sprintf("%s: choose one with --select N, from 1 to %d (%s)", head, e.Total, list)
}

// maxRunsNamed is how many runs a RunsError describes.
const maxRunsNamed = 5

// label describes a run: its name, or what its user first said, and its size.
func (r run) label(loose []message) string {
	if r.messages == nil && r.tree == nil {
		return amount(len(loose), "message") + " of their own"
	}
	n, first := 0, ""
	for record := range r.all() {
		if n++; first == "" {
			first = firstWords(record)
		}
	}
	name := ""
	has := membersOf(r.record)
	for _, key := range [...]string{"title", "name", "custom_id", "instance_id", "task_id", "id"} {
		if s, ok := jsonwalk.String(has[key]); ok && s != "" {
			name = fmt.Sprintf("%s %.40q, ", key, s)
		} else if isNumber(has[key]) {
			name = fmt.Sprintf("%s %.20s, ", key, has[key])
		}
		if name != "" {
			break
		}
	}
	if name == "" && first != "" {
		name = fmt.Sprintf("%.40q, ", first)
	}
	return name + amount(n, "message")
}

// firstWords is the text of a user's message; "" for any other.
func firstWords(record []byte) string {
	var role, text string
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "role", "from":
			role, _ = jsonwalk.String(value)
		case "content", "value":
			for _, p := range contentParts(value, &partReader{}) {
				if p.kind == textPart && text == "" {
					text = p.text
				}
			}
		}
	}
	if role != "user" && role != "human" {
		return ""
	}
	it := model.Item{Content: text}
	return it.FirstLine(80)
}

// all yields the messages of a run, and then those of its answer: with the
// usage, if that is about them.
func (r run) all() iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		if r.tree != nil {
			for _, record := range branch(r.tree, r.leaf) {
				if !yield(record, false) {
					return
				}
			}
			return
		}
		for i, raw := range [...][]byte{r.messages, r.answer} {
			counted := i == 1 || r.answer == nil
			if jsonwalk.Type(raw) == '[' {
				for record := range jsonwalk.Elements(raw) {
					if !yield(record, counted) {
						return
					}
				}
			} else if raw != nil && !yield(raw, counted) {
				return
			}
		}
	}
}

// messageLists are the keys under which messages are found, the better first.
var messageLists = []string{"messages", "chat_messages", "history", "traj", "trajectory", "conversation", "conversations", "input"}

// runLists are the keys under which arrays of runs are found.
var runLists = []string{"samples", "runs", "trajectories", "episodes", "attempts", "conversations", "results", "data"}

// findRuns finds the conversations in a record that is no message itself.
func findRuns(place int, record []byte) []run { return findRunsAt(place, record, record, 0) }

func findRunsAt(place int, outer, record []byte, depth int) []run {
	const deepest = 4 // samples within a body, and room to spare
	if depth > deepest {
		return nil
	}
	if jsonwalk.Type(record) == '[' {
		if holdsMessages(record) {
			return []run{{place: place, record: outer, messages: record}}
		}
		return nil
	}
	if depth == 0 && isPlainMessage(record) {
		return nil // one of a conversation
	}
	return runsIn(place, outer, record, membersOf(record), depth)
}

// runsIn is findRunsAt for an object with these members.
func runsIn(place int, outer, record []byte, has map[string][]byte, depth int) []run {
	if isMessage(has) {
		if depth == 0 {
			return nil
		}
		return []run{{place: place, record: outer, messages: record}} // with a usage of its own
	}
	if own, ok := ownRun(has); ok {
		own.place, own.record, own.request = place, outer, record
		return []run{own}
	}
	var all []run
	for _, key := range runLists {
		for one := range jsonwalk.Elements(has[key]) {
			all = append(all, findRunsAt(place, one, one, depth+1)...)
		}
		if len(all) > 0 {
			return all
		}
	}
	var asked []run
	for _, key := range [...]string{"body", "request", "params"} {
		if jsonwalk.Type(has[key]) == '{' {
			asked = append(asked, findRunsAt(place, outer, has[key], depth+1)...)
		}
	}
	for _, key := range [...]string{"response", "body", "result", "message"} {
		if raw := has[key]; jsonwalk.Type(raw) == '{' && (key != "body" || asked == nil) {
			all = append(all, findRunsAt(place, outer, raw, depth+1)...)
		}
	}
	if len(asked) == 1 && len(all) == 1 {
		asked[0].answer, asked[0].usage, asked[0].further = all[0].messages, all[0].usage, all[0].further
	}
	if len(asked) > 0 {
		return asked
	}
	return all
}

// ownRun is the conversation that an object itself holds.
func ownRun(has map[string][]byte) (r run, ok bool) {
	r.attached = has["attachments"]
	if jsonwalk.Type(has["mapping"]) == '{' {
		r.leaf, ok = jsonwalk.String(has["current_node"])
		r.tree = has["mapping"]
		return r, ok
	}
	for _, key := range messageLists {
		if raw := has[key]; jsonwalk.Type(raw) == '[' && holdsMessages(raw) {
			r.messages = raw
			break
		}
	}
	var answer []byte
	switch {
	case jsonwalk.Type(has["choices"]) == '[':
		for choice := range jsonwalk.Elements(has["choices"]) {
			for key, value := range jsonwalk.Members(choice) {
				switch {
				case key == "message" && answer == nil:
					answer = value
				case key == "message":
					r.further++
				}
			}
		}
	case jsonwalk.Type(has["output"]) == '[' && holdsMessages(has["output"]):
		answer = has["output"]
	}
	if answer != nil {
		r.usage = has["usage"]
	}
	switch text := has["input"]; {
	case r.messages != nil:
		r.answer = answer
	case answer != nil:
		r.messages = answer
	case jsonwalk.Type(text) == '"' && has["model"] != nil:
		r.messages = text
	default:
		for _, key := range [...]string{"messages", "history", "traj"} { // empty, or of something else
			if jsonwalk.Type(has[key]) == '[' {
				r.messages = has[key]
				return r, true
			}
		}
		return r, false
	}
	return r, true
}

// isPlainMessage is isMessage for the usual message, at less cost.
func isPlainMessage(record []byte) bool {
	role, content := false, false
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "role":
			role = jsonwalk.Type(value) == '"'
		case "content":
			content = true
		case "messages", "model", "tools":
			return false // a request: there is no need to look through all of it
		}
		if role && content {
			return true
		}
	}
	return false
}

// isMessage reports whether an object is one message of a conversation.
func isMessage(has map[string][]byte) bool {
	if jsonwalk.Type(has["role"]) == '"' {
		return has["content"] != nil || has["tool_calls"] != nil || has["function_call"] != nil
	}
	if jsonwalk.Type(has["author"]) == '{' && has["content"] != nil && membersOf(has["author"])["role"] != nil {
		return true
	}
	if s, _ := jsonwalk.String(has["sender"]); has["text"] != nil && (s == "human" || s == "assistant") {
		return true
	}
	if jsonwalk.Type(has["from"]) == '"' && jsonwalk.Type(has["value"]) == '"' {
		return true
	}
	if jsonwalk.Type(has["action"]) == '"' && jsonwalk.Type(has["observation"]) == '"' {
		return true
	}
	typ, _ := jsonwalk.String(has["type"])
	return isResponseItem(typ)
}

// holdsMessages looks at the first elements of an array for a message.
func holdsMessages(array []byte) bool {
	const looked = 4
	n := 0
	for record := range jsonwalk.Elements(array) {
		if n++; n > looked {
			break
		}
		has := membersOf(record)
		typ, _ := jsonwalk.String(has["object"])
		if isMessage(has) || has["role"] != nil || typ == "response" {
			return true
		}
	}
	return false
}
