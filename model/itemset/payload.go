package itemset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Payloads that are no text: images, files, sound, what is encrypted. They are
// sized, never tokenised, and stand as a label that tells one from another.

// minPayload is the least length of a text that may be a payload: shorter ones
// are keys, hashes and the like, which count as text.
const minPayload = 4096

// isPayload reports whether a string in JSON is base64 and nothing else, or a
// data URL: no one reads it, and counting its tokens takes long.
func isPayload(raw []byte) bool {
	if len(raw) < minPayload || raw[0] != '"' {
		return false
	}
	body := raw[1 : len(raw)-1]
	if bytes.HasPrefix(body, []byte("data:")) {
		i := bytes.IndexByte(body[:200], ',')
		return i > 0 && bytes.HasSuffix(body[:i], []byte(";base64"))
	}
	digits, upper := 0, 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case 'a' <= c && c <= 'z' || c == '+' || c == '/' || c == '-' || c == '_' || c == '=':
		case 'A' <= c && c <= 'Z':
			upper++
		case '0' <= c && c <= '9':
			digits++
		case c == '\\' && i+1 < len(body) && (body[i+1] == 'n' || body[i+1] == 'r' || body[i+1] == '/'):
			i++
		default:
			return false
		}
	}
	return digits > len(body)/50 && upper > len(body)/20 // not a word said many times
}

// documentOf reads a document that is given as text, and a search result; false
// for a payload.
func documentOf(members map[string][]byte, in *partReader) (p part, ok bool) {
	p.kind = documentPart
	p.title, _ = jsonwalk.String(members["title"])
	content := members["content"]
	switch source := members["source"]; jsonwalk.Type(source) {
	case '"':
		if p.title == "" {
			p.title, _ = jsonwalk.String(source)
		}
	case '{':
		var typ string
		var data []byte
		for key, value := range jsonwalk.Members(source) {
			switch key {
			case "type":
				typ, _ = jsonwalk.String(value)
			case "data", "content":
				data = value
			}
		}
		if typ != "text" && typ != "content" {
			return p, false
		}
		content = data
	}
	var texts []string
	for _, one := range contentParts(content, in) {
		if one.size > 0 {
			return p, false
		}
		texts = append(texts, one.text)
	}
	p.text = strings.Join(texts, "\n")
	return p, p.text != ""
}

// opaque describes a payload in words that tell two payloads apart. Base64
// holds three bytes in four.
func opaque(what, media string, payload []byte) part {
	if s := string(bytes.TrimSpace(payload[:min(len(payload), 4)])); s == "" || s == `""` || s == "null" {
		return part{kind: opaquePart} // nothing, which no item is made of
	}
	return opaqueOf(what, media, payload, max(1, len(payload)/4*3))
}

// opaqueOf is opaque for a payload of that many bytes, of which there is only a name.
func opaqueOf(what, media string, payload []byte, size int) part {
	sum := sha256.Sum256(payload)
	label := strings.TrimSpace(what + " " + media)
	return part{kind: opaquePart, size: size, text: fmt.Sprintf("[%s, %v bytes, %x]", label, model.Tokens(size), sum[:4])}
}

// opaqueTokens guesses what a payload costs, by rules of thumb that are off by a
// factor of two or more: such a count is marked as Opaque.
func (p part) opaqueTokens() model.Tokens {
	const (
		leastImage, mostImage = 85, 1600 // providers scale images down
		bytesPerImageToken    = 400      // of photographs and screenshots
		bytesPerAudioToken    = 2000
		bytesPerVideoToken    = 1000
		bytesPerFileToken     = 40 // a page of a PDF has some 100 KB and 2,000 tokens
		bytesPerToken         = 4  // encrypted text, and what is not known
	)
	what, _, _ := strings.Cut(strings.TrimPrefix(p.text, "["), " ")
	tokens := p.size / bytesPerToken
	switch strings.TrimSuffix(what, ",") {
	case "image":
		tokens = min(mostImage, max(leastImage, p.size/bytesPerImageToken))
	case "audio":
		tokens = p.size / bytesPerAudioToken
	case "video":
		tokens = p.size / bytesPerVideoToken
	case "file", "document":
		tokens = p.size / bytesPerFileToken
	case "base64": // the digits are what the model reads
		tokens = p.size
	}
	return model.Tokens(max(1, tokens))
}
