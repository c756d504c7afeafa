package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// Whole reads a whole number within 2^53, 12.0 being 12. Whatever is larger
// comes back as a number beyond every bound, so that the message can be about that.
func Whole(raw []byte) (model.Tokens, bool) {
	if !jsonwalk.IsNumber(raw) {
		return 0, false
	}
	const exact = 1 << 53
	n, ok := model.WholeNumber(string(raw))
	if ok && -exact <= n && n <= exact {
		return n, true
	}
	if !ok { // a fraction, or beyond an int64
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil && math.Abs(f) <= exact {
			return 0, false
		}
	}
	return model.MaxTokens + 1, true
}

// Integer reads a whole number of 64 bits.
func Integer(raw []byte) (int64, bool) {
	if len(raw) == 0 { // an error of strconv takes memory
		return 0, false
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	if !jsonwalk.IsNumber(raw) {
		return 0, false
	}
	n, ok := model.WholeNumber(string(raw))
	return int64(n), ok
}

// Finite reads a number that a float64 holds.
func Finite(raw []byte) (float64, bool) {
	if len(raw) == 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil && jsonwalk.IsNumber(raw) && !math.IsInf(f, 0)
}

// Strings reads an array of nothing but strings.
func Strings(raw []byte) ([]string, bool) {
	if jsonwalk.Type(raw) != '[' {
		return nil, false
	}
	var list []string
	for e := range jsonwalk.Elements(raw) {
		s, ok := jsonwalk.String(e)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// Time reads the forms of RFC 3339, and shorter ones: the seconds, the zone or
// the whole time of day may be missing, and a space may stand for the T. Without
// a zone a time is in UTC, and so is the result.
func Time(raw []byte) (time.Time, bool) {
	s, ok := jsonwalk.String(raw)
	if !ok {
		return time.Time{}, false
	}
	return TimeOf(s)
}

// TimeOf is Time for a text.
func TimeOf(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02") || len(s) > 64 {
		return time.Time{}, false
	}
	if len(s) > 10 && (s[10] == ' ' || s[10] == 't') {
		s = s[:10] + "T" + s[11:]
	}
	if last := len(s) - 1; s[last] == 'z' {
		s = s[:last] + "Z"
	}
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(form, s); err == nil {
			at = at.UTC()
			return at, 0 <= at.Year() && at.Year() <= 9999
		}
	}
	return time.Time{}, false
}

// UnixTime reads seconds or milliseconds since 1970, as conversations have them,
// from 2001 to 2065.
func UnixTime(raw []byte) (time.Time, bool) {
	n, ok := Finite(raw)
	if ok && n >= 1e12 {
		n /= 1000
	}
	if !ok || n < 1e9 || n >= 3e9 {
		return time.Time{}, false
	}
	seconds, part := math.Modf(n)
	return time.Unix(int64(seconds), int64(math.Round(part*1e6))*1000).UTC(), true
}

// What a metadata value may be: the memory that it takes is a hundred bytes and more
// for each value in it, whatever its size in the file.
const (
	maxValues = 100_000
	maxDepth  = 99 // with the metadata around it as deep as an item may have
)

// Metadata decodes a value for the metadata of an item. room is how many values
// the item may still have, at first Room; what has more, or lies too deep, is not
// decoded: problem says why.
func Metadata(raw []byte, room *int) (value any, problem string) {
	depth, values := jsonwalk.Shape(raw)
	if *room -= values + 1; *room < 0 {
		return nil, fmt.Sprintf("metadata of more than %v values", plain.Thousands(maxValues))
	}
	if depth > maxDepth {
		return nil, fmt.Sprintf("metadata nested more than %d deep", maxDepth)
	}
	return jsonwalk.Any(raw), ""
}

// Room is how many values the metadata of one item may have.
func Room() *int {
	room := maxValues
	return &room
}

// TypeName names the type of a value with its article: "an object".
func TypeName(raw []byte) string { return jsonwalk.TypeName(raw) }

// Quote is a text as a JSON string.
func Quote(text string) []byte {
	raw, err := json.Marshal(text)
	if err != nil { // cannot be
		return nil
	}
	return raw
}

// Compact writes a valid value without white space between its parts, as text:
// bytes that are no UTF-8 become U+FFFD, as in texts that are quoted.
func Compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
