package jsonwalk

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes what stands between the quotes of a valid string that has
// escapes or bytes that are no UTF-8.
func unquote(body []byte) (string, bool) {
	if !utf8.Valid(body) {
		body = appendValid(make([]byte, 0, len(body)+len(body)/8), body)
	}
	var out strings.Builder
	out.Grow(len(body))
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			out.Write(body)
			if text := out.String(); out.Cap() > len(text)+len(text)/2 {
				return strings.Clone(text), true // escapes are longer than what they stand for
			}
			return out.String(), true
		}
		out.Write(body[:i])
		if body = body[i+1:]; len(body) == 0 {
			return "", false
		}
		c := body[0]
		body = body[1:]
		switch c {
		case '"', '\\', '/':
			out.WriteByte(c)
		case 'b':
			out.WriteByte('\b')
		case 'f':
			out.WriteByte('\f')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 't':
			out.WriteByte('\t')
		case 'u':
			r, ok := hex4(body)
			if !ok {
				return "", false
			}
			body = body[4:]
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if len(body) >= 6 && body[0] == '\\' && body[1] == 'u' {
					if low, ok := hex4(body[2:]); ok {
						pair = utf16.DecodeRune(r, low)
					}
				}
				if r = pair; r != utf8.RuneError {
					body = body[6:]
				}
			}
			out.WriteRune(r)
		default:
			return "", false
		}
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n), err == nil
}

// appendValid appends text, each byte that is no UTF-8 as U+FFFD.
func appendValid(out, text []byte) []byte {
	if utf8.Valid(text) {
		return append(out, text...)
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		out = utf8.AppendRune(out, r) // U+FFFD for a bad byte, of size 1
		text = text[size:]
	}
	return out
}
