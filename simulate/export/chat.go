package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Vendor is the vendor for whose API a conversation is written.
type Vendor string

// The vendors.
const (
	OpenAI    Vendor = "OpenAI"    // Chat Completions
	Anthropic Vendor = "Anthropic" // Messages
)

// Chat is the included items of a report as a request: an object with messages
// and, if there are tool definitions, tools. For Anthropic the system prompts
// stand beside the messages. The caller has to add the model and the limits.
type Chat struct {
	request any
	// Notes say what the format cannot express, and how it was written
	// instead.
	Notes []string
}

// Write writes the request as indented JSON. The error is w's.
func (c *Chat) Write(w io.Writer) error { return writeJSON(w, c.request) }

// NewChat returns a request that the vendor's API accepts, in O(n), or the error of ctx. Items keep
// their placed order, except that results follow the message of their calls,
// as both vendors require. A call and its result are written as such if both
// are included. The APIs refuse one without the other, so it is written as
// text. Ids are kept if they are valid and unique, and else generated.
func NewChat(ctx context.Context, r *model.Report, v Vendor) (*Chat, error) {
	c := chatWriter{ctx: ctx, vendor: v, items: r.Items, ids: map[string]bool{}, notes: map[string][]int32{}}
	c.pair(r.Included)
	c.arrange(r.Included)
	request := c.openAI
	if v == Anthropic {
		request = c.anthropic
	}
	out := &Chat{request: request()}
	for _, what := range c.order {
		out.Notes = append(out.Notes, what+": "+listed(c.notes[what]))
	}
	return out, ctx.Err()
}

// chatWriter builds one request, up to where ctx ends.
type chatWriter struct {
	ctx      context.Context
	vendor   Vendor
	items    *model.Set
	result   map[int32]int32 // by call: its result
	paired   map[int32]bool  // results that have a call
	tools    []any
	system   []int32
	messages []chatMessage
	ids      map[string]bool // that are taken
	made     int

	notes map[string][]int32
	order []string // of the notes
}

// chatMessage is one message of a speaker.
type chatMessage struct {
	role  string
	text  []int32 // at most one, of a user or the assistant
	calls []int32
}

func (c *chatWriter) note(item int32, what string) {
	if c.notes[what] == nil {
		c.order = append(c.order, what)
	}
	c.notes[what] = append(c.notes[what], item)
}

// listed returns a text that names the first of the items.
func listed(items []int32) string {
	const maxListed = 5
	names := plain.Texts(items[:min(maxListed, len(items))], func(i int32) string { return "#" + strconv.Itoa(int(i)) })
	if more := len(items) - maxListed; more > 0 {
		names = append(names, "+"+plain.Thousands(more))
	}
	return strings.Join(names, " ")
}

func (c *chatWriter) meta(i int32, key string) string {
	s, _ := c.items.Loaded(int(i)).Metadata[key].(string)
	return s
}

// pair finds the calls and results that are both included. As on reading, a
// result belongs to the last call with its id that has none yet.
func (c *chatWriter) pair(included []int32) {
	c.result, c.paired = map[int32]int32{}, map[int32]bool{}
	open := map[string][]int32{}
	ascending := slices.Clone(included)
	slices.Sort(ascending)
	for _, i := range ascending {
		id := c.meta(i, "callId")
		switch part := c.meta(i, "part"); {
		case id == "":
		case part == "toolCall":
			open[id] = append(open[id], i)
		case part == "toolResult" && len(open[id]) > 0:
			calls := open[id]
			c.result[calls[len(calls)-1]], c.paired[i] = i, true
			open[id] = calls[:len(calls)-1]
		}
	}
}

// arrange sorts the items into tools, system prompts and messages.
func (c *chatWriter) arrange(included []int32) {
	last := int32(-1) // the item before, if its message may go on
	for _, i := range included {
		if c.ctx.Err() != nil {
			return
		}
		it := c.items.Loaded(int(i))
		before := last
		last = -1
		_, called := c.result[i]
		switch part := c.meta(i, "part"); {
		case c.paired[i]:
			last = before
		case part == "toolDefinition":
			c.tool(i, it)
		case part == "thinking":
			c.note(i, "left out, thinking is only accepted with its signature")
		case it.Count == model.Opaque || part == "opaque":
			c.note(i, "left out, an image or file of which only the size is kept")
		case c.vendor == Anthropic && strings.TrimSpace(it.Content) == "":
			c.note(i, "left out, Anthropic takes no blank text")
		case called:
			if m := c.goesOn(before, i); m != nil {
				m.calls = append(m.calls, i)
			} else {
				c.messages = append(c.messages, chatMessage{role: "assistant", calls: []int32{i}})
			}
			last = i
		case role(it) == "system":
			if c.vendor == Anthropic {
				c.system = append(c.system, i)
			} else {
				c.messages = append(c.messages, chatMessage{role: "system", text: []int32{i}})
			}
		default:
			c.said(before, i, it, part)
			last = i
		}
	}
	if c.vendor == Anthropic {
		if len(c.system) > 1 {
			for _, i := range c.system {
				c.note(i, "system prompts are given together, before the messages")
			}
		}
		if len(c.messages) > 0 && c.messages[0].role == "assistant" {
			c.note(c.messages[0].first(), "the assistant speaks first, which Anthropic refuses: add a message of the user")
		}
	}
}

// said adds a text to the messages.
func (c *chatWriter) said(before, i int32, it *model.Item, part string) {
	speaker := role(it)
	switch {
	case part == "toolCall":
		speaker = "assistant"
		c.note(i, "calls without their result become text")
	case it.Kind.Is(model.ToolOutput):
		speaker = "user"
		c.note(i, "results without their call become text of the user")
	case it.Kind.Is(model.Document) && c.vendor == Anthropic:
	case !it.Kind.Is(model.Message):
		c.note(i, "kinds that are not messages become text, as "+plain.Line(string(it.Kind), nameCells))
	}
	if m := c.goesOn(before, i); m != nil && speaker == "assistant" && part != "toolCall" && len(m.text) == 0 {
		m.text = append(m.text, i)
		return
	}
	c.messages = append(c.messages, chatMessage{role: speaker, text: []int32{i}})
}

func (m *chatMessage) first() int32 {
	if len(m.text) > 0 {
		return m.text[0]
	}
	return m.calls[0]
}

// goesOn returns the last message if item i is part of the same message as the item
// before, and nil otherwise.
func (c *chatWriter) goesOn(before, i int32) *chatMessage {
	if before < 0 || len(c.messages) == 0 || c.messages[len(c.messages)-1].role != "assistant" {
		return nil
	}
	a, b := c.items.Loaded(int(before)), c.items.Loaded(int(i))
	if id := c.meta(i, "messageId"); id != c.meta(before, "messageId") ||
		id == "" && !(a.Timestamp.Set && b.Timestamp.Set && a.Timestamp.Value.Equal(b.Timestamp.Value)) {
		return nil
	}
	return &c.messages[len(c.messages)-1]
}

// payload notes a result if only its size is kept.
func (c *chatWriter) payload(i int32, it *model.Item) {
	if it.Count == model.Opaque {
		c.note(i, "results of which only the size is kept are a line of text")
	}
}

// NotesText returns what the format changes on one line, or "" if there are none.
func (c *Chat) NotesText() string {
	if len(c.Notes) == 0 {
		return ""
	}
	return fmt.Sprintf("differs: %s", strings.Join(c.Notes, "; "))
}
