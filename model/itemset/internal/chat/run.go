package chat

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// Where conversations are found in a file: requests and answers of any provider,
// lines of batches, logs of agents, collections of dialogues, exports.

type run struct {
	outer    record.Object // what all of it is in
	request  record.Object // what is around the messages; nil for bare ones
	messages []byte        // an array, one message or a text; nil for messages given one a record
	answer   []byte        // what the model answered to the request, like messages
	usage    []byte        // of the answer, or of the messages if they are one
	branch   [][]byte      // of a tree of messages, in place of an array of them
	others   int           // messages on other branches
	further  int           // answers that were given besides
	key      string        // of the list of messages
	unread   []string      // keys of lists and of an output with text that are not read
	attached []byte        // texts that messages refer to, by name
}

// label describes a run: its name, or what its user first said, and its size.
func (r run) label(loose []conversation.Message) string {
	if r.messages == nil && r.branch == nil {
		return plain.Count(len(loose), "message") + " of their own"
	}
	n, first := 0, ""
	for raw := range r.all(nil) {
		n++
		if first == "" {
			first = firstWords(raw)
		}
	}
	size := plain.Count(n, "message")
	for _, key := range [...]string{"title", "name", "custom_id", "instance_id", "task_id", "id"} {
		if s := r.outer.Text(key); s != "" {
			return fmt.Sprintf("%s %.40q, %s", key, s, size)
		} else if raw := r.outer.Raw(key); jsonwalk.IsNumber(raw) {
			return fmt.Sprintf("%s %.20s, %s", key, raw, size)
		}
	}
	if first != "" {
		return fmt.Sprintf("%.40q, %s", first, size)
	}
	return size
}

// firstWords returns the text of a message of the user, and "" for any other message.
func firstWords(raw []byte) string {
	o := record.Open(raw)
	role := Role(o.Text("role", "from"))
	var m conversation.Message
	if f := formOf(o); f != nil {
		outer := o.Opened()
		role, o = f.speaker(outer), outer.In(f.inner)
		f.read(&m, outer, new(blocks.Reader))
	}
	if role != "user" {
		return ""
	}
	for _, b := range append(m.Blocks, new(blocks.Reader).Content(o.Raw("content", "value", "parts"))...) {
		if b.Kind == blocks.Text {
			return (&model.Item{Content: b.Text}).FirstLine(80)
		}
	}
	return ""
}

// all yields the messages of a run, and then the messages of its answer: with true if the usage
// is about them. ends is from Document.Ends, or nil.
func (r run) all(ends *jsonwalk.Ends) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		for _, raw := range r.branch {
			if !yield(raw, false) {
				return
			}
		}
		for i, raw := range [...][]byte{r.messages, r.answer} {
			counted := i == 1 || r.answer == nil
			if jsonwalk.Type(raw) == '[' {
				for message := range jsonwalk.ElementsTo(raw, ends) {
					if !yield(message, counted) {
						return
					}
				}
			} else if raw != nil && !yield(raw, counted) {
				return
			}
		}
	}
}

// branchOf returns the messages of a tree of nodes as ChatGPT exports it, each {"message",
// "parent"} under its name, that lead to a leaf, in order, and the number of the others: an
// edited message begins another branch. Without a leaf it is the last node that no other
// names as its parent; where none names a parent, all messages are one branch.
func branchOf(tree []byte, leaf string) (path [][]byte, others int) {
	nodes, parents := map[string]record.Object{}, map[string]bool{}
	path = [][]byte{}
	for name, node := range jsonwalk.Members(tree) {
		o := record.Open(node)
		nodes[name] = o
		if parent := o.Text("parent"); parent != "" {
			parents[parent] = true
		}
		if o.Type("message") == '{' {
			path = append(path, o.Raw("message"))
		}
	}
	if len(parents) == 0 {
		return path, 0
	}
	if leaf == "" {
		for name := range jsonwalk.Members(tree) {
			if !parents[name] && nodes[name].Type("message") == '{' {
				leaf = name
			}
		}
	}
	others, path = len(path), path[:0:0]
	for leaf != "" {
		node := nodes[leaf]
		delete(nodes, leaf) // so that a circle ends
		if node.Type("message") == '{' {
			path = append(path, node.Raw("message"))
		}
		leaf = node.Text("parent")
	}
	slices.Reverse(path)
	return path, others - len(path)
}

// answerLists are the keys of lists of answers, which are no messages that were sent.
var answerLists = []string{"choices", "candidates", "output", "$ai_output_choices"}

// runsLooked is how many elements of a list are examined to find out whether they are runs.
const runsLooked = 20

// aroundRequest and aroundResponse are the keys of objects around a request and around its response.
var (
	aroundRequest  = []string{"body", "request", "params", "inputs", "input", "converse", "request_body", "requestBody", "chunkedPrompt", "payload", "properties"}
	aroundResponse = []string{"response", "body", "result", "results", "message", "values", "output", "outputs", "state", "channel_values", "response_body", "responseBody", "json"}
)

// HasRuns reports whether an object holds conversations and is no message itself.
func HasRuns(o record.Object) bool { return len(runsOf(nil, o, nil, 0)) > 0 }

// findRunsAt returns the conversations in a record, which lies within outer.
func findRunsAt(outer record.Object, raw []byte, depth int) []run {
	const deepest = 4 // samples within a body, and room to spare
	if depth > deepest {
		return nil
	}
	if jsonwalk.Type(raw) == '[' {
		if holdsMessages(raw) || depth == 0 && holdsSpoken(raw) {
			return []run{{outer: outer, messages: raw}}
		}
		return nil
	}
	return runsOf(outer, record.Open(raw), raw, depth)
}

// runsOf returns the conversations in an object; raw is its JSON, which is not needed at depth 0. An
// object that is a message within another is a conversation of one message.
func runsOf(outer, o record.Object, raw []byte, depth int) []run {
	if outer == nil {
		outer = o
	}
	if IsMessage(o) {
		if depth == 0 {
			return nil
		}
		return []run{{outer: outer, messages: raw}} // with a usage of its own
	}
	return runsIn(outer, o, depth)
}

// runsIn returns the conversations in an object that is no message: its own if that has messages,
// else those in its lists, else its own without messages, else those in the objects around a
// request and a response.
func runsIn(outer, o record.Object, depth int) []run {
	own, ok := ownRun(o)
	var shared record.Object // has the tools of the runs in it, as a file of Letta
	own.outer, own.request = outer, o
	if ok {
		if string(own.messages) != noMessages {
			return []run{own}
		}
		shared = o
	}
	all := seeds(o)
	for _, m := range o {
		if jsonwalk.Type(m.Value) != '[' || slices.Contains(answerLists, m.Key) {
			continue
		}
		n := len(all)
		looked, others := 0, false
		for one := range jsonwalk.Elements(m.Value) {
			if looked++; looked > runsLooked && len(all) == n {
				break
			}
			found := findRunsAt(shared, one, depth+1)
			others = others || found == nil && jsonwalk.HasText(one)
			all = append(all, found...)
		}
		if len(all) > n {
			o.Raw(m.Key)
		}
		for i := range all[n:] {
			if others {
				all[n+i].unread = append(all[n+i].unread, m.Key+" without messages")
			}
		}
	}
	if len(all) > 0 {
		return sentOnce(all)
	}
	if ok {
		return []run{own}
	}
	within := func(key string) []run { // the object under a key, or in the text that stands there
		raw := o.At(key)
		if text, _ := jsonwalk.String(raw); jsonwalk.Type([]byte(text)) == '{' && jsonwalk.Valid([]byte(text)) {
			raw = []byte(text)
		}
		if jsonwalk.Type(raw) != '{' {
			return nil
		}
		o.Raw(key)
		return findRunsAt(outer, raw, depth+1)
	}
	var asked []run
	for _, key := range aroundRequest {
		asked = append(asked, within(key)...)
	}
	for _, key := range aroundResponse {
		if key != "body" || asked == nil {
			all = append(all, within(key)...)
		}
	}
	if len(asked) == 1 && len(all) > 0 {
		asked[0].answer, asked[0].usage, asked[0].further = all[0].messages, all[0].usage, all[0].further+len(all)-1
	}
	if len(asked) > 0 {
		return asked
	}
	return all
}

// sentOnce joins the runs that LangSmith was sent twice, as a run began and as it ended: the
// second has the answer, and perhaps the request again.
func sentOnce(all []run) []run {
	begun := map[string]int{}
	once := all[:0]
	for _, r := range all {
		name := r.outer.Text("dotted_order")
		at, met := begun[name]
		switch {
		case !met || name == "":
			begun[name] = len(once)
			once = append(once, r)
		case r.answer != nil:
			once[at] = r
		case once[at].answer == nil:
			once[at].answer, once[at].usage, once[at].further = r.messages, r.usage, r.further
		}
	}
	return once
}

// noMessages is the list of messages of a run that has tools only.
const noMessages = "[]"

// ownRun returns the conversation that an object itself holds.
func ownRun(o record.Object) (r run, ok bool) {
	r.attached = o.Raw("attachments")
	if o.Type("mapping") == '{' {
		leaf := o.Text("current_node")
		r.branch, r.others = branchOf(o.Raw("mapping"), leaf)
		return r, leaf != "" || len(r.branch) > 0
	}
	if r.messages = pairOf(o); r.messages != nil {
		return r, true
	}
	withRole := false
	for _, m := range o {
		if jsonwalk.Type(m.Value) != '[' || slices.Contains(answerLists, m.Key) {
			continue
		}
		first := record.Open(jsonwalk.First(m.Value))
		if !holdsMessages(m.Value) && !(m.Key == "contents" && first.Has("parts")) {
			continue
		}
		o.Raw(m.Key)
		switch {
		case r.messages == nil, !withRole && first.Has("role"): // an agent may log its steps too
			if r.messages != nil {
				r.unread = append(r.unread, r.key)
			}
			r.messages, r.key, withRole = m.Value, m.Key, first.Has("role")
		default:
			r.unread = append(r.unread, m.Key)
		}
	}
	var answer []byte
	answers := func(said []byte) {
		if said != nil && answer == nil {
			answer = said
		} else if said != nil {
			r.further++
		}
	}
	for choice := range o.List("choices") {
		answers(record.Open(choice).Raw("message", "messages"))
	}
	for candidate := range o.List("candidates") {
		said := record.Open(candidate).Raw("content")
		if content := record.Open(said); said != nil && !content.Has("role") {
			said = fmt.Appendf(nil, `{"role":"model","parts":%s}`, cmp.Or(string(content.Raw("parts")), "[]"))
		}
		answers(said)
	}
	output := o.Raw("output", "$ai_output_choices")
	if answer == nil {
		if answer = AnswerOf(output); answer == nil && jsonwalk.HasText(output) {
			r.unread = append(r.unread, "output")
		}
	}
	if answer != nil {
		r.usage = o.Raw("usage", "usageMetadata", "usage_metadata")
	} else if r.messages != nil {
		answer = r.beside(o)
	}
	switch c := o.Type("contents"); {
	case r.messages != nil:
	case o.Type("input") == '"' && o.Has("model"):
		r.messages = o.Raw("input")
	case c == '{' || c == '"' && o.Has("model", "config", "candidates"):
		r.messages = o.Raw("contents")
	}
	switch {
	case r.messages != nil:
		r.answer = answer
	case answer != nil:
		if r.messages = r.askedIn(o); r.messages != nil {
			r.answer = answer
		} else {
			r.messages = answer
		}
	case o.Type("messages") == '[' && jsonwalk.Type(jsonwalk.First(o.Raw("messages"))) != '[': // empty, or of something else
		r.messages = o.Raw("messages")
	default:
		tools := toolsIn(o.Raw("tools"))
		if len(tools) == 0 || !record.Open(tools[0]).Has("name", "function") { // as a server of MCP lists them
			return r, false
		}
		r.messages = []byte(noMessages)
	}
	return r, true
}

// askedIn returns the messages in the object under the input of an observation, whose output is
// beside it; nil if there are none. It notes what else is in that object as unread.
func (r *run) askedIn(o record.Object) []byte {
	input := o.Open("input", "inputs")
	messages := input.Raw("messages")
	if jsonwalk.Type(messages) != '[' || !holdsMessages(messages) {
		return nil
	}
	for key := range input.Unread(RequestNoContent) {
		r.unread = append(r.unread, "input."+key)
	}
	return messages
}

// beside returns the answer that a log has beside the messages of its request, under
// response or result, and takes its usage. It notes the other objects beside the
// messages as unread. It returns nil if there is no answer.
func (r *run) beside(o record.Object) (answer []byte) {
	for _, key := range slices.Concat(aroundResponse, aroundRequest) {
		value := o.Raw(key)
		if key == "output" || jsonwalk.Type(value) != '{' || !jsonwalk.HasText(value) {
			continue
		}
		inner := record.Open(value)
		switch own, ok := ownRun(inner); {
		case answer != nil || key != "response" && key != "result":
			r.unread = append(r.unread, key)
		case IsMessage(inner):
			answer, r.usage = value, inner.Raw("usage")
		case ok && own.answer == nil && own.branch == nil:
			answer, r.usage, r.further = own.messages, own.usage, own.further
		default:
			r.unread = append(r.unread, key)
		}
	}
	return answer
}

// AnswerOf returns the messages that an output holds, which is a list of them, one
// message, or an object around either. It returns nil if there is none.
func AnswerOf(output []byte) []byte {
	switch jsonwalk.Type(output) {
	case '[':
		if holdsMessages(output) {
			return output
		}
		if first := record.Open(jsonwalk.First(output)); first.Type("message") == '{' && IsMessage(first.Open("message")) { // choices
			return first.Raw("message")
		}
	case '{':
		o := record.Open(output)
		if IsMessage(o) {
			return output
		}
		if inner := o.Raw("message"); jsonwalk.Type(inner) == '{' && IsMessage(record.Open(inner)) {
			return inner
		}
		if inner := o.Raw("output"); jsonwalk.Type(inner) == '[' && holdsMessages(inner) { // an answer of the Responses API
			return inner
		}
	}
	return nil
}

// knownRoles are the roles that every format has; another role may be the name of an author.
var knownRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}

// holdsMessages looks at the first elements of an array for a message.
func holdsMessages(array []byte) bool {
	for raw := range record.Firsts(jsonwalk.Elements(array), 4) {
		o := record.Open(raw)
		if IsMessage(o) || slices.Contains(knownRoles, Role(o.Text("role"))) || o.Text("object") == "response" {
			return true
		}
	}
	return false
}
