package itemset

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Conversations as ChatGPT and Claude export them (conversations.json): a file
// holds all that a user had. ChatGPT's are trees, as an edited message begins
// another branch; what counts is the branch that ends in the current node.

// branch returns the messages that lead to a leaf of a tree of nodes, each
// {"message", "parent"} under its name, in order.
func branch(tree []byte, leaf string) [][]byte {
	nodes := membersOf(tree)
	var all [][]byte
	for leaf != "" {
		node := membersOf(nodes[leaf])
		delete(nodes, leaf) // so that a circle ends
		if jsonwalk.Type(node["message"]) == '{' {
			all = append(all, node["message"])
		}
		leaf, _ = jsonwalk.String(node["parent"])
	}
	slices.Reverse(all)
	return all
}

// messagesOf is how many messages a tree has, on all branches.
func messagesOf(tree []byte) int {
	n := 0
	for _, node := range jsonwalk.Members(tree) {
		for key, value := range jsonwalk.Members(node) {
			if key == "message" && jsonwalk.Type(value) == '{' {
				n++
			}
		}
	}
	return n
}

// authored reads a message of ChatGPT's: {"author": {"role", "name"},
// "recipient", "content": {"content_type", "parts" or "text"}}. A message to
// another recipient than all is a call.
func authored(m *message, has map[string][]byte, in *partReader) {
	author, content := membersOf(has["author"]), membersOf(has["content"])
	m.role, _ = jsonwalk.String(author["role"])
	tool, _ := jsonwalk.String(author["name"])
	recipient, _ := jsonwalk.String(has["recipient"])
	var parts []part
	for _, key := range [...]string{"parts", "text", "content", "result", "user_profile", "user_instructions"} {
		if key == "parts" {
			for one := range jsonwalk.Elements(content[key]) {
				parts = append(parts, pointed(one, in)...)
			}
		} else if jsonwalk.Type(content[key]) == '"' {
			parts = append(parts, contentParts(content[key], in)...)
		}
	}
	for thought := range jsonwalk.Elements(content["thoughts"]) {
		for key, value := range jsonwalk.Members(thought) {
			if s, _ := jsonwalk.String(value); key == "content" && s != "" {
				parts = append(parts, part{kind: thinkingPart, text: s})
			}
		}
	}
	for i := range parts {
		p := &parts[i]
		switch {
		case m.role == "tool" && p.kind == textPart:
			p.kind, p.tool = resultPart, tool
		case m.role == "assistant" && p.kind == textPart && recipient != "" && recipient != "all":
			p.kind, p.tool = callPart, recipient
		}
	}
	m.parts = joinThinking(parts)
}

// pointed reads a part of a message: a text, or an image or sound that is kept
// beside the file.
func pointed(raw []byte, in *partReader) []part {
	has := membersOf(raw)
	if has["asset_pointer"] == nil {
		return contentParts(raw, in)
	}
	what, size := "image", 1
	if typ, _ := jsonwalk.String(has["content_type"]); typ == "audio_asset_pointer" {
		what = "audio"
	}
	if n, ok := whole64(has["size_bytes"]); ok && n > 0 && n <= model.MaxTokens {
		size = int(n)
	}
	return []part{opaqueOf(what, "", has["asset_pointer"], size)}
}

// attachedFile reads a file that Claude's export gives the text of.
func attachedFile(has map[string][]byte, in *partReader) []part {
	text, _ := jsonwalk.String(has["extracted_content"])
	if text == "" {
		return nil
	}
	name, _ := jsonwalk.String(has["file_name"])
	return []part{{kind: documentPart, text: text, title: name}}
}
