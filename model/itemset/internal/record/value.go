package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// Whole reads a whole number from -2^53 to 2^53; 12.0 is 12. For a number outside
// that range, also a negative one, it returns model.MaxTokens+1 and true, so that
// the bounds check of the caller refuses it. For a fraction within the range, or a
// value that is no number, the result is false.
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

// Integer reads a whole number that an int64 holds. For any other value the result
// is false.
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

// Finite reads a number within the range of a float64. For a larger one, or a value
// that is no number, the result is false.
func Finite(raw []byte) (float64, bool) {
	if len(raw) == 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil && jsonwalk.IsNumber(raw) // beyond a float64 is an error
}

// Number is like Finite for a number that may stand in a string.
func Number(raw []byte) (float64, bool) {
	if text, ok := jsonwalk.String(raw); ok {
		raw = []byte(text)
	}
	return Finite(raw)
}

// Bool reads true or false. For any other value ok is false.
func Bool(raw []byte) (is, ok bool) {
	c := jsonwalk.Type(raw)
	return c == 't', c == 't' || c == 'f'
}

// Strings reads an array of strings; for an empty one it returns nil and true. If
// the value is no array, or an element is no string, the result is false.
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

// Time reads a string that holds a time as RFC 3339 writes it, or shorter: the
// seconds, the zone or the whole time of day may be missing, and a space may
// replace the T. A time without a zone is taken as UTC. The result is in UTC; it is
// false for any other value, and for a year outside 0 to 9999.
func Time(raw []byte) (time.Time, bool) {
	s, ok := jsonwalk.String(raw)
	if !ok {
		return time.Time{}, false
	}
	return TimeOf(s)
}

// TimeOf is like Time for a string that is already decoded.
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
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(form, s); err == nil {
			at = at.UTC()
			return at, 0 <= at.Year() && at.Year() <= 9999
		}
	}
	return time.Time{}, false
}

// UnixTime reads a number of seconds or milliseconds since 1970, which may stand in a string,
// and returns the time in UTC, to the microsecond. It accepts times from 2001 to 2065 only,
// because within them seconds and milliseconds cannot be confused; else the result is false.
func UnixTime(raw []byte) (time.Time, bool) {
	n, ok := Number(raw)
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
	maxDepth  = 100 // the metadata itself is the first level
)

// Metadata decodes a valid JSON value for a member of the metadata of an item. *room is the
// number of values that the item may still have, which Room gives at first; Metadata subtracts
// an upper bound of the values in raw. If *room becomes negative, or the metadata would be
// nested more than 100 deep, value is nil and problem says why; else problem is "".
func Metadata(raw []byte, room *int) (value any, problem string) {
	depth, values := jsonwalk.Shape(raw)
	if problem = within(depth+1, values+1, room); problem != "" {
		return nil, problem
	}
	return jsonwalk.Any(raw), ""
}

// WholeMetadata is like Metadata for a JSON object that is all the metadata of an item:
// what its members may be one by one, it may be.
func WholeMetadata(raw []byte, room *int) (value map[string]any, problem string) {
	depth, values := jsonwalk.Shape(raw)
	if problem = within(depth, values, room); problem == "" {
		value, _ = jsonwalk.Any(raw).(map[string]any)
	}
	return value, problem
}

func within(depth, values int, room *int) (problem string) {
	if *room -= values; *room < 0 {
		return fmt.Sprintf("metadata of more than %v values", plain.Thousands(maxValues))
	}
	if depth > maxDepth {
		return fmt.Sprintf("metadata nested more than %d deep", maxDepth)
	}
	return ""
}

// Room returns a new counter for Metadata that holds the number of values which the
// metadata of one item may have, 100,000.
func Room() *int { return new(maxValues) }

// JSON returns the JSON of a value that is made of texts, numbers and valid JSON, which has one.
func JSON(value any) []byte {
	raw, _ := json.Marshal(value)
	return raw
}

// Array returns JSON values as one array.
func Array(all [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(all, []byte(",")), []byte("]"))
}

// Compact returns a valid JSON value without insignificant white space. Each run of
// invalid UTF-8 becomes U+FFFD. For a value that is not valid JSON it returns "".
func Compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
