package chat

import (
	"bytes"
	"fmt"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
)

// Chats of Copilot in VS Code, as it exports and keeps them: {"requests": [{"message":
// {"text"}, "response": [parts], "timestamp"}]}. What an answer was made of for the screen
// has a kind; a part without one is its text.

// ofRequests are the members of a request that hold no content.
var ofRequests = []string{"requestId", "responseId", "timestamp", "agent", "modelId", "modeInfo", "modelState", "slashCommand", "vote"}

// copilotRun returns the messages of a chat of Copilot, and the paths of what holds text
// and is not read. It returns nil if an object is no such chat.
func copilotRun(o record.Object) (messages []byte, unread []string) {
	tell := func(path string, value []byte) {
		if jsonwalk.HasText(value) && !slices.Contains(unread, path) {
			unread = append(unread, path)
		}
	}
	var all [][]byte
	for raw := range o.List("requests") {
		request := record.Open(raw)
		message := request.Open("message")
		if message.Type("text") != '"' || request.Type("response") != '[' {
			return nil, nil
		}
		at := []byte("null")
		if time := request.Raw("timestamp"); time != nil {
			at = time
		}
		all = append(all, fmt.Appendf(nil, `{"role":"user","content":%s,"timestamp":%s}`, message.Raw("text"), at))
		var parts [][]byte
		for raw := range request.List("response") {
			part := record.Open(raw)
			block := copilotPart(part)
			if block == nil {
				tell("requests.response."+part.Text("kind"), raw)
				continue
			}
			parts = append(parts, block)
		}
		all = append(all, fmt.Appendf(nil, `{"role":"assistant","content":[%s],"timestamp":%s}`, bytes.Join(parts, []byte(",")), at))
		for _, m := range request {
			if m.Key != "message" && m.Key != "response" && !slices.Contains(ofRequests, m.Key) {
				tell("requests."+m.Key, m.Value)
			}
		}
	}
	if all == nil {
		return nil, nil
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(all, []byte(","))), unread
}

// copilotPart returns a part of an answer as a block, nil for what is only shown.
func copilotPart(part record.Object) []byte {
	switch value := part.Raw("value"); part.Text("kind") {
	case "":
		if jsonwalk.HasText(value) {
			return fmt.Appendf(nil, `{"type":"text","text":%s}`, value)
		}
	case "thinking":
		if jsonwalk.HasText(value) {
			return fmt.Appendf(nil, `{"type":"thinking","thinking":%s}`, value)
		}
	case "inlineReference":
		if name := part.Raw("name"); name != nil {
			return fmt.Appendf(nil, `{"type":"text","text":%s}`, name)
		}
	case "toolInvocationSerialized":
		asked := part.Raw("toolSpecificData", "invocationMessage")
		if asked == nil {
			asked = []byte("null")
		}
		return fmt.Appendf(nil, `{"type":"tool_use","id":%s,"name":%s,"input":%s}`, record.Quote(part.Text("toolCallId")), record.Quote(part.Text("toolId")), asked)
	}
	return nil
}
