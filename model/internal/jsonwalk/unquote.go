package jsonwalk

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// plainEnd returns the length of the ASCII without a backslash that a text begins with.
func plainEnd(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		if found := (w | (w ^ '\\'*ones - ones)) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf && text[i] != '\\' {
		i++
	}
	return i
}

// decoded lends memory in which strings are decoded. A string that fits is copied out in its
// own size, which is smaller than the size of its source.
var decoded = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// unquote decodes what stands between the quotes of a valid string that has escapes or bytes
// that are no UTF-8. The first plain bytes have neither.
func unquote(body []byte, plain int) (string, bool) {
	some := decoded.Get().(*[16 << 10]byte)
	defer decoded.Put(some)
	var out strings.Builder
	if len(body)+8 > len(some) {
		if !utf8.Valid(body[plain:]) {
			body = appendValid(make([]byte, 0, len(body)+len(body)/8), body)
		}
		out.Grow(len(body))
		plain = 0
	}
	n, all := copy(some[:], body[:plain]), uint64(0)
	for i := plain; i < len(body); {
		if n+8 > len(some) {
			out.Write(some[:n])
			n = 0
		}
		if i+8 <= len(body) {
			w := binary.LittleEndian.Uint64(body[i:])
			binary.LittleEndian.PutUint64(some[n:], w)
			all |= w
			back := w ^ '\\'*ones
			found := (back - ones) & ^back & highs
			if found == 0 {
				i, n = i+8, n+8
				continue
			}
			before := bits.TrailingZeros64(found) / 8
			i, n = i+before, n+before
		} else if body[i] != '\\' {
			some[n] = body[i]
			all |= uint64(body[i])
			i, n = i+1, n+1
			continue
		}
		if i+1 < len(body) && plainEscapes[body[i+1]] != 0 && n < len(some) {
			some[n] = plainEscapes[body[i+1]]
			i, n = i+2, n+1
			continue
		}
		if n+utf8.UTFMax > len(some) {
			out.Write(some[:n])
			n = 0
		}
		text, size := appendUnicode(some[:n], body[i+1:])
		if size == 0 {
			return "", false
		}
		i, n = i+1+size, len(text)
	}
	if out.Len() == 0 {
		if all&highs != 0 && !utf8.Valid(some[:n]) { // what an escape stands for completes no character
			return string(appendValid(make([]byte, 0, n+n/8), some[:n])), true
		}
		return string(some[:n]), true
	}
	out.Write(some[:n])
	if text := out.String(); out.Cap() > len(text)+len(text)/2 {
		return strings.Clone(text), true // escapes are longer than what they stand for
	}
	return out.String(), true
}

// plainEscapes has the byte that an escape of one letter stands for, by that letter.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnicode appends the character of an escape, of which rest is what follows the
// backslash: u and four digits, or two escapes that are a pair of surrogates. size is the
// length of the escape without the first backslash, or 0 if rest begins with none.
func appendUnicode(out, rest []byte) (_ []byte, size int) {
	if len(rest) == 0 || rest[0] != 'u' {
		return out, 0
	}
	r, ok := hex4(rest[1:])
	if !ok {
		return out, 0
	}
	size = 5
	if utf16.IsSurrogate(r) {
		pair := rune(utf8.RuneError)
		if len(rest) >= 11 && rest[5] == '\\' && rest[6] == 'u' {
			if low, ok := hex4(rest[7:]); ok {
				pair = utf16.DecodeRune(r, low)
			}
		}
		if r = pair; r != utf8.RuneError {
			size = 11
		}
	}
	return utf8.AppendRune(out, r), size
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
