package documents

import (
	"bytes"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Repositories that were packed into one text for a model: repomix (XML, Markdown, plain,
// JSON), gitingest, code2prompt. Each file is a Document under its path; what the pack says
// before and after them is a Document too.

// style is how a pack marks its files.
type style struct {
	// head lists texts of which a pack has at least one near its start.
	head []string
	// file matches the lines before the content of a file, of which the path is a group.
	file *regexp.Regexp
	// end begins the last line of the content, or what follows it; "" if nothing does.
	end string
	// closed says that end is a line, of which the rest is no text.
	closed bool
}

// sniffed is the number of bytes at the start of a text that are searched for the head
// of a pack.
const sniffed = 4 << 10

var styles = []style{
	{
		head: []string{"<file_summary>", "<files>\n<file path=", "<files>\nThis section contains the contents of the repository's files.", "<directory_structure>", "<documents>\n<document"},
		file: regexp.MustCompile(`(?m)^<file path="(.+)">$`), end: "</file>",
	},
	{ // between the two lines code2prompt for Python says what it knows of the file
		head: []string{"# Directory Structure\n", "## File: ", "# File Summary\n", "# Table of Contents\n"},
		file: regexp.MustCompile("(?m)^## File: (.+)\n(?:(?:- .*|### Code|)\n- Extension: .*\n(?:(?:- .*|### Code|)\n)*)?```.*$"), end: "\n```", closed: true,
	},
	{
		head: []string{"================\nFile: ", "================\nFILE: ", "================\nDirectory Structure\n", "Directory structure:\n"},
		file: regexp.MustCompile(`(?m)^={16,}\nF(?:ile|ILE): (.+)\n={16,}$`),
	},
	{
		head: []string{"Project Path: "},
		file: regexp.MustCompile("(?m)^`(.+)`:\n\n```.*$"), end: "\n```", closed: true,
	},
}

func styleOf(text []byte) *style {
	head := text[:min(len(text), sniffed)]
	for i := range styles {
		s := &styles[i]
		if slices.ContainsFunc(s.head, func(mark string) bool { return bytes.Contains(head, []byte(mark)) }) && s.file.Match(withoutCR(text)) {
			return s
		}
	}
	return nil
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// IsPack reports whether a text is a packed repository: it begins like one and holds at
// least one file.
func IsPack(text []byte) bool { return styleOf(text) != nil }

// file is a file of a pack, or what stands between them, which has no path.
type file struct {
	path    string
	line    int // number of its first line, from 1
	content []byte
}

// files yields the files of a text and, without a path, the texts around them.
func (s *style) files(text []byte) iter.Seq[file] {
	return func(yield func(file) bool) {
		text = withoutCR(text)
		now := file{line: 1}
		begin, line, counted := 0, 1, 0
		flush := func(end int) bool {
			content, rest := text[begin:end], []byte(nil)
			if i := bytes.LastIndex(content, []byte(s.end)); now.path != "" && s.end != "" && i >= 0 {
				content, rest = content[:i], content[i+len(s.end):]
				if s.closed {
					_, rest, _ = bytes.Cut(rest, []byte("\n"))
				}
			}
			now.content = content
			return yield(now) && (len(bytes.TrimSpace(rest)) == 0 || yield(file{line: now.line, content: rest}))
		}
		for _, at := range s.file.FindAllSubmatchIndex(text, -1) {
			if !flush(at[0]) {
				return
			}
			line += bytes.Count(text[counted:at[0]], []byte("\n"))
			now, begin, counted = file{path: string(text[at[2]:at[3]]), line: line}, at[1], at[0]
		}
		flush(len(text))
	}
}

// IsPackObject reports whether an object is a repository that repomix packed as JSON.
func IsPackObject(o record.Object) bool {
	return o.Type("files") == '{' && (o.Type("directoryStructure") == '"' || o.Type("fileSummary") == '{')
}

// ReadPack adds the files of a pack to the sink, and the text around them. Empty files are
// left out. For a text that is no pack it adds nothing. The error is always nil.
func ReadPack(doc record.Document, sink record.Sink) error {
	if o := doc.Object(); o != nil {
		readObject(o, sink)
		return nil
	}
	s := styleOf(doc.Data)
	if s == nil {
		return nil
	}
	sink.Unit("line")
	for f := range s.files(doc.Data) {
		if !sink.Next() {
			return nil
		}
		f.add(sink)
	}
	return nil
}

// readObject adds the files of a pack in JSON: first all that it says about itself,
// then the members of files, each with its content.
func readObject(o record.Object, sink record.Sink) {
	sink.Unit("file")
	var about [][]byte
	for _, m := range o {
		if m.Key != "files" {
			about = texts(about, m.Value)
		}
	}
	file{content: bytes.Join(about, []byte("\n\n"))}.add(sink)
	n := 0
	for _, m := range o.Open("files") {
		n++
		if !sink.Next() {
			return
		}
		file{path: m.Key, line: n, content: bytes.Join(texts(nil, m.Value), []byte("\n"))}.add(sink)
	}
}

// texts appends the strings in a JSON value, which may lie at any depth.
func texts(all [][]byte, value []byte) [][]byte {
	switch jsonwalk.Type(value) {
	case '"':
		if s, _ := jsonwalk.String(value); s != "" {
			all = append(all, []byte(s))
		}
	case '{':
		for _, inner := range jsonwalk.Members(value) {
			all = texts(all, inner)
		}
	case '[':
		for inner := range jsonwalk.Elements(value) {
			all = texts(all, inner)
		}
	}
	return all
}

// add adds the file to the sink as a document, or tells that it is empty.
func (f file) add(sink record.Sink) {
	at := record.Place{N: f.line}
	text := strings.ToValidUTF8(strings.Trim(string(f.content), "\n"), "\uFFFD")
	title := f.path
	switch {
	case strings.TrimSpace(text) == "" && f.path == "":
		return
	case strings.TrimSpace(text) == "":
		sink.Tell(record.LeftOut, at, "empty files")
		return
	case f.path == "":
		title = "about the pack"
	}
	meta := map[string]any{"title": title}
	if f.path != "" {
		meta["file"] = path.Clean(f.path)
	}
	sink.Add(at, model.Item{Content: text, Kind: model.Document, Source: model.Rag, Metadata: meta}, false)
}
