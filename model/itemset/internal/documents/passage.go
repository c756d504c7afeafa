package documents

import (
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/record"
)

// passage is a document as retrieval tools write it: a text, what is known of
// it, a score. Wrappers around it (LangChain's kwargs, LlamaIndex' node, a
// reranker's document, a store's payload) are taken off; what they hold beside
// it counts as well, the outer before the inner. All but embeddings and the
// marks of serialisation goes to the metadata.
type passage struct {
	text     string
	textRank int
	meta     map[string]any
	index    int  // in the texts that were ranked; -1: none
	titled   bool // it has a title that is part of its text

	score      float64 // larger is better
	negated    bool    // it was a distance
	scoreRank  int     // 0: it has none
	scoreDepth int
	notes      record.Notes
	room       int // see record.Metadata
	ends       *jsonwalk.Ends
	grade      int // how much the document was needed, as it says itself; -1: it does not

	time     model.Option[time.Time] // when it was written; unset if it does not say so
	timeRank int
}

// The keys under which an object may be the document itself, in a wrapper, and the keys of its
// metadata, of embeddings, of the source of a text, and of marks that say how much it was
// needed.
var (
	wrapperKeys  = []string{"kwargs", "node", "document", "doc", "__data__", "_source", "payload", "entity", "properties", "text_resource"}
	metadataKeys = []string{"metadata", "meta", "extra_info"}
	vectorKeys   = []string{"embedding", "embeddings", "vector", "vectors", "values", "sparse_values", "sparseValues", "sparse_embedding"}
	sourceKeys   = []string{"source", "file_path", "file_name", "filename", "page", "loc", "doc_id", "chunk_id"}
	gradeKeys    = []string{"isgold", "is_gold", "has_answer", "hasanswer", "is_supporting", "relevance"}
)

// dated are the keys of when a document was written, the most certain first.
var dated = slices.Concat(record.Times[:1], record.Modified, record.Times)

// meaning is what a key may stand for in a document. Ranks are higher for what is more
// certain, and 0 where the key does not stand for that.
type meaning struct {
	text    int  // rank of a text, at least 2: a text without a key has rank 1
	score   int  // rank of a score
	smaller bool // a smaller score is better
	dated   int  // rank of when it was written

	wrapper, metadata, vector, grade bool
}

// meaningTable has the meanings of keys, each at the place that follows from its key or at the
// next one that is free. It is asked for each key of a file, and takes less time than a map.
type meaningTable [512]struct {
	key string
	meaning
}

// at returns the place of a key, which is free if the table does not have the key.
func (t *meaningTable) at(key string) int {
	if key == "" {
		return 0 // which no other key has
	}
	n := len(key)
	at := n<<4 ^ int(key[0])<<2 ^ int(key[n/2])<<1 ^ int(key[n-1])
	for {
		if at = at%(len(t)-1) + 1; t[at].key == key || t[at].key == "" {
			return at
		}
	}
}

// of returns the meaning of a key. In line it would add 8 kB to the program.
//
//go:noinline
func (t *meaningTable) of(key string) meaning { return t[t.at(key)].meaning }

// meanings has the meaning of every key above and in record.
var meanings = func() *meaningTable {
	all := new(meaningTable)
	add := func(keys []string, as func(m *meaning, rank int)) {
		for i, key := range keys {
			of := &all[all.at(key)]
			of.key = key
			as(&of.meaning, len(keys)-i)
		}
	}
	add(record.Texts, func(m *meaning, rank int) { m.text = rank + 1 })
	for i, keys := range record.Scores {
		add(keys, func(m *meaning, _ int) { m.score, m.smaller = len(record.Scores)-i, i == len(record.Scores)-1 })
	}
	add(dated, func(m *meaning, rank int) { m.dated = max(m.dated, rank) })
	add(wrapperKeys, func(m *meaning, _ int) { m.wrapper = true })
	add(metadataKeys, func(m *meaning, _ int) { m.metadata = true })
	add(vectorKeys, func(m *meaning, _ int) { m.vector = true })
	add(gradeKeys, func(m *meaning, _ int) { m.grade = true })
	return all
}()

// maxWrappers is the largest number of wrappers around a document.
const maxWrappers = 6

// isPassage reports whether an object is a document by its keys.
func isPassage(o record.Object) bool { return isPassageAt(o, 0) }

func isPassageAt(o record.Object, depth int) bool {
	if depth > maxWrappers {
		return false
	}
	var text, content, score, native, meta, known, wrapped, chat bool
	for _, m := range o {
		key, value, c := m.Key, m.Value, jsonwalk.Type(m.Value)
		score = score || c != '[' && c != '{' && meanings.of(key).score > 0
		switch key {
		case "page_content", "pageContent":
			if c == '"' {
				return true
			}
		case "role", "message", "messages", "sessionId", "ts", "speaker", "sender", "say", "isUser", "isCreatedByUser":
			chat = true
		case "kind", "tokens", "futureRelevanceHint", "future_relevance_hint", "pinned", "priority":
			native = true
		case "text":
			text = text || c == '"'
		case "content":
			content = content || c == '"' || c == '[' || c == '{' && hasText(value)
		case "contents", "body", "chunk", "chunk_text", "passage", "snippet":
			content = content || c == '"'
		case "document":
			wrapped = wrapped || c == '"' || c == '{'
		case "meta", "extra_info":
			meta = meta || c == '{'
		case "metadata", "payload", "_source", "entity":
			known = known || key == "metadata" && namesSource(value)
			// Stores keep the text among the metadata.
			wrapped = wrapped || c == '{' && hasText(value)
		case "kwargs", "node", "__data__":
			if isPassageAt(record.Open(value), depth+1) || c == '{' && hasText(value) {
				return true
			}
		}
	}
	switch {
	case chat:
		return false
	case text:
		return true
	case content:
		pyserini := o.Type("contents") == '"' && o.Has("id")
		return (score || meta || known || pyserini) && !native
	}
	return wrapped && score
}

// IsText reports whether an object may be a document, though its keys do not say so: it
// has a text under one of record.Texts and no mark of a message or of an item. size is
// the length of the text in JSON.
func IsText(o record.Object) (size int, ok bool) {
	if o.Has("role", "messages", "speaker", "sender", "say", "kind", "tokens") {
		return 0, false
	}
	for _, m := range o {
		switch c, is := jsonwalk.Type(m.Value), meanings.of(m.Key); {
		case is.text > 0 && c == '"':
			size = max(size, len(m.Value)-2)
		case (is.wrapper || is.metadata) && c == '{': // what a store holds, without a score
			if hasText(m.Value) {
				size = len(m.Value) // all of it is of the document
			}
		}
	}
	return size, size > 0 || isPassage(o)
}

// Refers reports whether the first element of a list has a name or a score, as what was
// found for a question has.
func Refers(list []byte) bool {
	o := record.Open(jsonwalk.First(list))
	return o.Has(record.IDs...) || slices.ContainsFunc(o, func(m record.Member) bool {
		return meanings.of(m.Key).score > 0 || meanings.of(m.Key).metadata
	})
}

// Named returns the document in a pair of its id and itself, as LangChain.js stores them.
func Named(pair []byte) (id, document []byte, ok bool) {
	both := elements(pair)
	if len(both) != 2 || jsonwalk.Type(both[0]) != '"' || jsonwalk.Type(both[1]) != '{' {
		return nil, nil, false
	}
	return both[0], both[1], true
}

func namesSource(metadata []byte) bool {
	for key := range jsonwalk.Members(metadata) {
		if slices.Contains(sourceKeys, key) {
			return true
		}
	}
	return false
}

// hasText reports whether an object has a text under one of the keys for it.
func hasText(object []byte) bool {
	for key, value := range jsonwalk.Members(object) {
		switch {
		case meanings.of(key).text > 0 && jsonwalk.Type(value) == '"':
			return true
		case key == "text_resource" && hasText(value):
			return true
		}
	}
	return false
}

// read reads one document of a set; a problem means that it is none.
func (p *passage) read(in found) (problem string) {
	p.index, p.grade, p.room = -1, -1, *record.Room()
	p.meta = map[string]any{}
	raw, title := in.raw, in.title
	if isTitled(raw) {
		pair := elements(raw)
		title, raw = pair[0], pair[1]
	}
	if sentences, ok := record.Strings(raw); ok && title != nil {
		p.text, p.textRank, p.titled = strings.Join(sentences, ""), 1, true
		p.keep("title", title)
		raw = nil
	} else if id, document, ok := Named(raw); ok && !isPair(raw) {
		p.keep("id", id)
		raw = document
	} else if isPair(raw) {
		pair := elements(raw)
		p.scoreAs(meanings.of("score"), pair[1], 0)
		p.keep("score", pair[1])
		raw = pair[0]
	}
	switch jsonwalk.Type(raw) {
	case 0:
	case '{':
		p.object(raw, 1)
	case '"':
		p.text, _ = jsonwalk.String(raw)
		p.textRank = 1
	default:
		return "records that are " + jsonwalk.TypeName(raw) + " instead of a document"
	}
	for c, value := range in.columns {
		switch key := strings.TrimSuffix(columnKeys[c], "s"); {
		case value == nil || jsonwalk.Check(value) != nil:
		case key == "metadata":
			p.metadata(value, 1)
		default:
			p.scoreAs(meanings.of(key), value, 1)
			p.keep(key, value)
		}
	}
	if p.textRank == 0 {
		p.textFromMetadata()
	}
	if p.textRank == 0 && p.index >= 0 && p.index < len(in.texts) {
		var q passage
		if text := in.texts[p.index]; jsonwalk.Check(text) == nil && q.read(found{raw: text}) == "" {
			p.text, p.textRank = q.text, q.textRank
			for key, value := range q.meta {
				p.set(key, value)
			}
		}
	}
	switch {
	case p.textRank == 0 && p.index >= 0:
		return "results that name a document by its index only, and no documents beside them"
	case strings.TrimSpace(p.text) == "":
		return "documents without text"
	}
	if _, beir := p.meta["_id"].(string); p.titled || beir && p.textRank == meanings.of("text").text {
		if title, _ := p.meta["title"].(string); strings.TrimSpace(title) != "" {
			p.text = title + " " + p.text
			p.notes.Add("titles of documents, put before their texts as BEIR and HotpotQA index them")
		}
	}
	return ""
}

// object reads the members of a document, or of a wrapper around it.
func (p *passage) object(raw []byte, depth int) {
	if depth > maxWrappers {
		p.notes.Add("documents wrapped too deep")
		return
	}
	lc := false
	for key, value := range jsonwalk.MembersTo(raw, p.ends) {
		c, is := jsonwalk.Type(value), meanings.of(key)
		grade, graded := 0, false
		if is.grade {
			grade, graded = record.Grade(value)
		}
		switch {
		case c == 'n' || c == 0:
		case graded:
			if p.grade < 0 || key == "isgold" {
				p.grade = grade
			}
		case key == "lc" || key == "class_name" || key == "__type__" || lc && (key == "type" || key == "id"):
			lc = lc || key == "lc"
		case c == '{' && (key == "content" || is.wrapper):
			p.object(value, depth+1)
		case c == '{' && is.metadata:
			p.metadata(value, depth)
		case is.text > 0 && (c == '"' || key == "content" && c == '['):
			p.textAs(key, is.text, value)
		case (c == '[' || c == '{') && is.vector:
			p.notes.Add("embeddings, left out")
		case key == "index" && jsonwalk.IsNumber(value):
			if n, ok := record.Integer(value); ok && n >= 0 && n < model.MaxItems {
				p.index = int(n)
			}
			p.keep(key, value)
		default:
			p.scoreAs(is, value, depth)
			p.keep(key, value)
		}
	}
}

// textAs takes the text under a key. If there is a text of lower rank already, that one
// goes to the metadata; if there is one of higher or equal rank, this one does.
func (p *passage) textAs(key string, rank int, value []byte) {
	text, ok := jsonwalk.String(value)
	if !ok { // an array of blocks
		for _, b := range blocks.Join(new(blocks.Reader).Content(value)) {
			if b.Kind == blocks.Text {
				text = b.Text
			}
		}
	}
	if text == "" || rank <= p.textRank {
		p.keep(key, value)
		return
	}
	if p.textRank > 0 {
		p.set("otherText", p.text)
	}
	p.text, p.textRank = text, rank
}

// metadata takes the members of the metadata of a document. A score among them counts
// only if the document itself has none.
func (p *passage) metadata(raw []byte, depth int) {
	for key, value := range jsonwalk.MembersTo(raw, p.ends) {
		is := meanings.of(key)
		if jsonwalk.Type(value) == '[' && is.vector {
			p.notes.Add("embeddings, left out")
			continue
		}
		p.scoreAs(is, value, depth+2*maxWrappers)
		p.keep(key, value)
	}
}

// textFromMetadata takes the text that a store keeps among the metadata.
func (p *passage) textFromMetadata() {
	best, rank := "", 0
	for key, value := range p.meta {
		if s, ok := value.(string); ok && s != "" {
			if r := meanings.of(key).text; r > rank || r == rank && r > 0 && key < best {
				best, rank = key, r
			}
		}
	}
	if rank > 0 {
		p.text, p.textRank = p.meta[best].(string), rank
		delete(p.meta, best)
	}
}

// scoreAs takes the value under a key that is a name for scores. Of several scores the
// outermost counts, and at the same depth the one of the highest rank.
func (p *passage) scoreAs(is meaning, raw []byte, depth int) {
	if is.score == 0 || jsonwalk.IsNull(raw) {
		return
	}
	x, ok := record.Number(raw)
	if !ok {
		if depth <= maxWrappers {
			p.notes.Add("scores that are not finite numbers, left out")
		}
		return
	}
	if p.scoreRank > 0 && (depth > p.scoreDepth || depth == p.scoreDepth && is.score <= p.scoreRank) {
		return
	}
	if is.smaller {
		x = -x
	}
	p.score, p.negated, p.scoreRank, p.scoreDepth = x, is.smaller, is.score, depth
}

// keep puts a member into the metadata, unless the key is taken.
func (p *passage) keep(key string, raw []byte) {
	if c := jsonwalk.Type(raw); c != 'n' && c != 0 {
		value, problem := record.Metadata(raw, &p.room)
		if problem != "" {
			p.notes.LeftOut(problem)
			return
		}
		p.set(key, value)
	}
}

// set puts a value into the metadata, unless the key is taken. One that record.TimeOf reads is
// when the document was written, if its key says so more certainly than those before.
func (p *passage) set(key string, value any) {
	if _, taken := p.meta[key]; taken {
		return
	}
	p.meta[key] = value
	if s, ok := value.(string); ok && s != "" && '0' <= s[0] && s[0] <= '9' { // a year
		if rank := meanings.of(key).dated; rank > p.timeRank {
			if at, ok := record.TimeOf(s); ok {
				p.time, p.timeRank = model.Some(at), rank
			}
		}
	}
}
