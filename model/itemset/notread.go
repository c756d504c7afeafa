package itemset

import (
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// layout is a format that the loader recognises but cannot read.
type layout struct {
	name string
	is   func(o record.Object) bool
}

// unread lists the layouts that have no reader. They are refused by name, so that
// they are not mistaken for a format that looks similar.
var unread = []layout{
	{"a HAR archive", func(o record.Object) bool { return o.Open("log").Type("entries") == '[' }},
	{"a session of Kimi", func(o record.Object) bool {
		return o.Has("protocol_version") && o.Text("type") == "metadata" || o.Has("time") && o.Text("type") == "config.update"
	}},
	{"a session of Antigravity", func(o record.Object) bool { return o.Has("step_index") && o.Has("source") && o.Has("status") }},
	{"a message of opencode, or a part of one, whose session is a file below storage/session,", func(o record.Object) bool {
		return o.Type("sessionID") == '"' && !o.Has("parts") && o.Has("role") || o.Type("messageID") == '"' && o.Has("sessionID", "type")
	}},
	{"an interaction of Gemini's Interactions API", func(o record.Object) bool {
		event := o.Text("event_type")
		return o.Text("object") == "interaction" && o.Has("steps", "outputs") || strings.HasPrefix(event, "interaction.") || strings.HasPrefix(event, "step.")
	}},
	{"a Jupyter notebook", func(o record.Object) bool { return o.Has("nbformat") && o.Has("cells") }},
}

// notReadIn returns the name of the layout in unread that a document has, as notRead.
func notReadIn(doc record.Document) string {
	for _, raw := range doc.Records() {
		return notRead(record.Open(raw))
	}
	return ""
}

// notRead returns the name of the layout in unread that an object has, or that the
// first record in it has. It returns "" if there is none.
func notRead(o record.Object) string {
	looks := func(o record.Object) string {
		if i := slices.IndexFunc(unread, func(l layout) bool { return l.is(o) }); i >= 0 {
			return unread[i].name
		}
		return ""
	}
	if name := looks(o); name != "" {
		return name
	}
	for _, key := range [...]string{"history", "trajectory", "events", "messages", "steps"} {
		if name := looks(record.Open(jsonwalk.First(o.Raw(key)))); name != "" {
			return name
		}
	}
	return ""
}
