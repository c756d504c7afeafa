package chat

import (
	"strings"

	"cupelscope/model/itemset/record"
)

// Messages of LangChain and LangGraph: {"type": "human", "content": ...}, the same
// under "data", or what their serialisation makes of it: {"lc": 1, "id": [...,
// "HumanMessage"], "kwargs": {...}}.

// langChainRole maps a type or the name of a class to a role; "": it is none.
func langChainRole(typ string) string {
	switch strings.TrimSuffix(strings.TrimSuffix(typ, "Chunk"), "Message") {
	case "human", "Human":
		return "user"
	case "ai", "AI":
		return "assistant"
	case "system", "System":
		return "system"
	case "tool", "Tool":
		return "tool"
	case "function", "Function":
		return "function"
	}
	return ""
}

// langChain takes a message out of what is around it; false if it is none.
func langChain(o record.Object) (inner record.Object, role string, ok bool) {
	typ := ""
	switch {
	case o.Has("lc") && o.Type("kwargs") == '{':
		names, _ := record.Strings(o.Raw("id"))
		if len(names) > 0 {
			typ = names[len(names)-1]
		}
		inner = o.Open("kwargs")
	case o.Has("role"):
		return nil, "", false
	case o.Type("data") == '{' && len(o) == 2:
		typ, inner = o.Text("type"), o.Open("data")
	default:
		typ, inner = o.Text("type"), o
	}
	role = langChainRole(typ)
	return inner, role, role != "" && inner.Has("content")
}

func isLangChain(o record.Object) bool {
	if o.Type("type") != '"' {
		return false
	}
	_, _, ok := langChain(o)
	return ok
}
