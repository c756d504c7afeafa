package sessions

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset"
	"cupelscope/model/itemset/internal/record"
)

// steps are how many bytes of a session are read at most until its project and its first
// request are found: most tell both at once, some begin with long instructions.
var steps = [...]int{4 << 10, 32 << 10, 256 << 10}

// reader reads the beginnings of files, one after the other, into the same memory.
type reader struct{ head []byte }

// read passes the beginning of a file to take, and more and more of it until take returns
// true.
func (r *reader) read(path string, take func(head []byte) bool) error {
	f, err := itemset.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	r.head = r.head[:0]
	for _, step := range steps {
		have := len(r.head)
		r.head = slices.Grow(r.head, step-have)[:step]
		n, err := io.ReadFull(f, r.head[have:])
		r.head = r.head[:have+n]
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return err
		}
		if take(r.head) || ended {
			break
		}
	}
	return nil
}

// rows yields the records in the beginning of a file that may be cut anywhere: its lines, the
// elements of an array, or the elements of "messages" in an object.
func rows(head []byte) iter.Seq[record.Object] {
	return func(yield func(record.Object) bool) {
		head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
		end, whole := jsonwalk.End(head)
		list := head
		switch {
		case whole && jsonwalk.Type(head) == '{': // rows, or one object
			for whole && jsonwalk.Type(head) == '{' {
				if jsonwalk.Valid(head[:end]) && !yield(record.Open(head[:end])) {
					return
				}
				head = bytes.TrimLeft(head[end:], " \t\r\n")
				end, whole = jsonwalk.End(head)
			}
			return
		case jsonwalk.Type(head) == '{':
			for key, value := range jsonwalk.Members(head) {
				if key == "messages" {
					list = value
				}
			}
		}
		for element := range jsonwalk.Elements(list) {
			if !jsonwalk.Valid(element) || !yield(record.Open(element)) {
				return
			}
		}
	}
}

// userText returns what the user wrote in a row of a session in JSON, "" if the row is not
// of the user, or holds only what the agent puts there by itself.
func userText(row record.Object) string {
	if row.Is("isMeta") || row.Is("isSidechain") {
		return ""
	}
	switch typ := row.Text("type"); {
	case typ == "event_msg", typ == "response_item":
		row = row.Open("payload")
		if typ = row.Text("type"); typ == "user_message" {
			return requestIn(row.Raw("message"))
		}
		return userText(row)
	case typ == "user.message":
		return requestIn(row.Open("data").Raw("content"))
	case typ == "user", row.Text("role") == "user":
		if row.Type("message") == '{' {
			row = row.Open("message")
		}
		return requestIn(row.Raw("content", "parts"))
	}
	return ""
}

// requestIn returns the first text of a content that is the user's own.
func requestIn(content []byte) string {
	for text := range texts(content) {
		if own := unwrapped(text); own != "" {
			return own
		}
	}
	return ""
}

// texts yields the texts of a content: a string, or a list of strings and blocks.
func texts(content []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		if text, isString := jsonwalk.String(content); isString {
			yield(text)
		}
		for block := range jsonwalk.Elements(content) {
			text, isString := jsonwalk.String(block)
			if !isString && jsonwalk.Type(block) == '{' {
				text = record.Open(block).Text("text")
			}
			if text != "" && !yield(text) {
				return
			}
		}
	}
}

// asked are the tags in which agents wrap what the user wrote.
var asked = []string{"user_query", "task", "user_message", "feedback"}

// unwrapped returns a text without the blocks in tags that agents put before it, and out
// of the tag that holds the request.
func unwrapped(text string) string {
	for {
		text = strings.TrimSpace(text)
		tag, inner, rest, ok := block(text)
		switch {
		case strings.HasPrefix(text, "# AGENTS.md instructions"), strings.HasPrefix(text, "Caveat: The messages below"):
			return ""
		case !ok:
			return text
		case slices.Contains(asked, tag):
			return strings.TrimSpace(inner)
		}
		text = rest
	}
}

// block splits a text that begins with <tag>inner</tag>. A tag has letters, digits, - and _.
func block(text string) (tag, inner, rest string, ok bool) {
	if !strings.HasPrefix(text, "<") {
		return "", "", "", false
	}
	tag, after, ok := strings.Cut(text[1:], ">")
	if !ok || tag == "" || len(tag) > 60 || strings.Trim(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return "", "", "", false
	}
	inner, rest, ok = strings.Cut(after, "</"+tag+">")
	return tag, inner, rest, ok
}

// underHeading returns the first text in Markdown that a heading says to be the user's:
// what stands on the line behind the prefix, or the first line below it.
func underHeading(head []byte, prefix string) string {
	found := false
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		own, is := strings.CutPrefix(line, strings.TrimSpace(prefix))
		switch {
		case is && strings.HasSuffix(prefix, " ") && strings.TrimSpace(own) != "":
			return strings.TrimSpace(own)
		case is:
			found = true
		case found && line != "":
			return line
		}
	}
	return ""
}
