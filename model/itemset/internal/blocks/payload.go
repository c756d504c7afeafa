package blocks

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Payloads are what is not text: images, files, sound, encrypted data. They are
// sized, never tokenised. Their text is a label that tells one from another.

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

// Payload returns an opaque block for a payload, a JSON value that is mostly a string
// in base64. Its text is a label such as "[image image/png, 1,200 bytes, 1a2b3c4d]",
// of what and media, the size (three quarters of the length of the JSON) and a hash.
// A data URL overrides media. For nil, null and "" the block has no text.
func Payload(what, media string, payload []byte) Block {
	if rest, ok := bytes.CutPrefix(payload, []byte(`"data:`)); ok {
		if i := bytes.IndexAny(rest[:min(len(rest), 100)], ";,"); i >= 0 {
			media = strings.ToValidUTF8(string(rest[:i]), "\uFFFD")
		}
	}
	if s := string(bytes.TrimSpace(payload[:min(len(payload), 4)])); s == "" || s == `""` || s == "null" {
		return Block{Kind: Opaque} // nothing, which no item is made of
	}
	return PayloadOf(what, media, payload, max(1, len(payload)/4*3))
}

// PayloadOf is like Payload for a payload of which only a name and a size in bytes are known.
// The hash is the hash of the name.
func PayloadOf(what, media string, name []byte, size int) Block {
	sum := sha256.Sum256(name)
	label := strings.TrimSpace(what + " " + media)
	return Block{Kind: Opaque, Size: size, Text: fmt.Sprintf("[%s, %v bytes, %x]", label, plain.Thousands(size), sum[:4])}
}

// Tokens guesses the number of tokens of a payload: of an image from its pixels where they are
// known, else from its size and the first word of its label. The guess is at least 1. It may be
// wrong by a factor of two or more, so the count must be marked as model.Opaque.
func (b Block) Tokens() model.Tokens {
	if b.guess > 0 {
		return b.guess
	}
	const (
		minImage, maxImage = 85, 1600 // providers scale images down
		bytesPerImageToken = 400      // of photographs and screenshots
		bytesPerAudioToken = 2000
		bytesPerVideoToken = 1000
		bytesPerFileToken  = 40 // a page of a PDF has some 100 KB and 2,000 tokens
		bytesPerToken      = 4  // encrypted text, and what is not known
	)
	what, _, _ := strings.Cut(strings.TrimPrefix(b.Text, "["), " ")
	tokens := b.Size / bytesPerToken
	switch strings.TrimSuffix(what, ",") {
	case "image":
		tokens = min(maxImage, max(minImage, b.Size/bytesPerImageToken))
	case "audio":
		tokens = b.Size / bytesPerAudioToken
	case "video":
		tokens = b.Size / bytesPerVideoToken
	case "file", "document":
		tokens = b.Size / bytesPerFileToken
	case "base64": // the digits are what the model reads
		tokens = b.Size
	}
	return model.Tokens(max(1, tokens))
}
