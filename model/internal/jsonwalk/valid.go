package jsonwalk

import (
	"encoding/binary"
	"math/bits"
)

// maxNesting is how deep values may be nested: as deep as encoding/json allows.
const maxNesting = 10_000

// valid reports whether b is one JSON value: what json.Valid reports, at about
// five times its speed, because strings are most of what there is and are
// looked through eight bytes at a time. Bytes that are no UTF-8 are let through.
// It notes in ends, if that is not nil, where the long values end.
func valid(b []byte, ends *Ends) bool {
	var some [2]uint64
	objects := some[:] // bit by depth: an object is open there, else an array
	depth := 0
	inObject := func() bool { return objects[depth>>6]>>(depth&63)&1 != 0 }
	for i := space(b, 0); ; {
		// A value begins at i; after it all that it closes.
		if i >= len(b) {
			return false
		}
		opened := false
		switch c := b[i]; c {
		case '{', '[':
			if depth++; depth > maxNesting {
				return false
			}
			if depth>>6 == len(objects) {
				objects = append(objects, 0)
			}
			objects[depth>>6] &^= 1 << (depth & 63)
			if c == '{' {
				objects[depth>>6] |= 1 << (depth & 63)
			}
			if ends != nil {
				ends.open(i)
			}
			opened = true
			i++
		case '"':
			from := i
			i = stringEnd(b, i+1)
			if ends != nil {
				ends.add(from, i)
			}
		case 't':
			i = literalEnd(b, i, "true")
		case 'f':
			i = literalEnd(b, i, "false")
		case 'n':
			i = literalEnd(b, i, "null")
		default:
			i = numberEnd(b, i)
		}
		if i < 0 {
			return false
		}
		for {
			if i = space(b, i); i >= len(b) {
				return depth == 0
			}
			if depth == 0 {
				return false
			}
			if b[i] != closing(inObject()) {
				break
			}
			depth--
			opened = false
			i++
			if ends != nil {
				ends.close(i)
			}
		}
		if !opened {
			if b[i] != ',' {
				return false
			}
			i = space(b, i+1)
		}
		if inObject() {
			if i = memberValue(b, i); i < 0 {
				return false
			}
		}
	}
}

func closing(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// memberValue is where the value of the member at i begins; -1: there is none.
func memberValue(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	if i = stringEnd(b, i+1); i < 0 {
		return -1
	}
	if i = space(b, i); i >= len(b) || b[i] != ':' {
		return -1
	}
	return space(b, i+1)
}

// ones times a byte is eight of them; highs are the high bits of eight bytes.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// stringEnd is the end of the string whose first character is at i, behind its
// quote; -1: it has none.
func stringEnd(b []byte, i int) int {
	if end := shortEnd(b[:min(i+shortString, len(b))], i); end >= 0 {
		return end
	}
	const many = 16 // blocks without a stop are no text with escapes, but base64: words are as fast
	for plain := 0; plain < many && i+blockSize < len(b); plain++ {
		at := i
		i += blockSize
		for set := stops((*[blockSize]byte)(b[at:])); set != 0; {
			plain = -1
			place := at + bits.TrailingZeros64(set)
			if b[place] == '"' {
				return place + 1
			}
			next := -1
			if b[place] == '\\' {
				next = escapeEnd(b, place+1)
			}
			if next < 0 {
				return -1
			}
			set = set >> (next - at) << (next - at)
			i = max(i, next)
		}
	}
	return shortEnd(b, i)
}

const (
	shortString = 32 // bytes of a string that are looked through by words: few have more
	blockSize   = 64
)

// stops returns which bytes of a block are a quote, a backslash or a control character: bit i
// is byte i. In real text they come about every twenty bytes, at places that no processor
// predicts: stops has no branch for them, while shortEnd has one.
func stops(block *[blockSize]byte) uint64 {
	low, controls, back, gather := stopping.low, stopping.controls, stopping.back, stopping.gather // in registers
	going := func(i int) uint64 {
		// The high bit of a byte is set by what it is added to unless it is one that stops. In
		// the first sum a quote comes behind the control characters, and a space behind it.
		w := binary.LittleEndian.Uint64(block[i:])
		at := w & low
		return (((at^(2*ones))+controls)&((at^back)+low) | w) &^ low * gather >> 56 << i
	}
	return ^(going(0) | going(8) | going(16) | going(24) | going(32) | going(40) | going(48) | going(56))
}

// stopping are the numbers that stops needs.
var stopping = struct{ low, controls, back, gather uint64 }{
	low: 0x7F * ones, controls: (0x7F - ' ') * ones, back: '\\' * ones,
	gather: 0x0002040810204081, // the product has the high bits of eight bytes in its last byte
}

// shortEnd is stringEnd by eight bytes.
func shortEnd(b []byte, i int) int {
	for {
		for ; i+8 <= len(b); i += 8 {
			// A byte below 0x20, a quote or a backslash sets its high bit; bytes that had it
			// before are taken out. The subtractions may borrow into later bytes, never into
			// earlier ones: the lowest bit set is right.
			w := binary.LittleEndian.Uint64(b[i:])
			if found := ((w - ' '*ones) | (w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones)) &^ w & highs; found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = escapeEnd(b, i+1); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default: // near the end of b
			i++
		}
	}
}

// escapeEnd is the end of the escape whose letter is at i; -1: it is none.
func escapeEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	if plainEscapes[b[i]] != 0 {
		return i + 1
	}
	if b[i] != 'u' || i+5 > len(b) {
		return -1
	}
	for _, c := range b[i+1 : i+5] {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return -1
		}
	}
	return i + 5
}

func literalEnd(b []byte, i int, literal string) int {
	if len(b)-i < len(literal) || string(b[i:i+len(literal)]) != literal {
		return -1
	}
	return i + len(literal)
}

// numberEnd is the end of the number at i; -1: there is none.
func numberEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	zero := i < len(b) && b[i] == '0'
	end := digitsEnd(b, i)
	if end < 0 || zero && end != i+1 {
		return -1
	}
	if i = end; i < len(b) && b[i] == '.' {
		if i = digitsEnd(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digitsEnd(b, i)
	}
	return i
}

// digitsEnd is the end of at least one digit; -1: there is none.
func digitsEnd(b []byte, i int) int {
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}
