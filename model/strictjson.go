package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// reader reads members of JSON objects strictly; fail makes its errors.
type reader struct {
	fail func(field, reason string) error
}

// object calls member for each member of raw, as jsonwalk.Fields does, with its path.
func (r reader) object(at string, raw []byte, known []string, member func(field, key string, raw []byte) error) error {
	var failed error // which names the member
	key, err := jsonwalk.Fields(raw, nil, known, func(key string, value []byte) error {
		failed = member(path(at, key), key, value)
		return failed
	})
	switch {
	case err == nil || failed != nil:
		return failed
	case key == "":
		return r.fail(at, err.Error())
	}
	return r.fail(path(at, key), err.Error())
}

func (r reader) text(field string, raw []byte, to *string) error {
	s, ok := jsonwalk.String(raw)
	if !ok {
		return r.fail(field, "is "+jsonwalk.TypeName(raw)+", must be a string")
	}
	*to = s
	return nil
}

func (r reader) float(field string, raw []byte) (float64, error) {
	if !jsonwalk.IsNumber(raw) {
		return 0, r.fail(field, "is "+jsonwalk.TypeName(raw)+", must be a number")
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0, r.fail(field, fmt.Sprintf("is %.40s, more than a float64 can hold", raw))
	}
	return v, nil
}

// beyondBounds is larger than the bound of any whole number.
const beyondBounds Tokens = 1 << 53

// tokens reads a whole number; 12.0 and 1.2e1 are 12. Bounds other than those
// of the type are the caller's.
func (r reader) tokens(field string, raw []byte) (Tokens, error) {
	if !jsonwalk.IsNumber(raw) {
		return 0, r.fail(field, "is "+jsonwalk.TypeName(raw)+", must be a whole number")
	}
	n, ok := WholeNumber(string(raw))
	if !ok || n < -beyondBounds || n > beyondBounds {
		return 0, r.fail(field, fmt.Sprintf("is %.40s, must be a whole number of at most %v", raw, MaxTokens))
	}
	return n, nil
}

// WholeNumber reads a JSON number as an int64; 12.0 and 1.2e1 are 12. It
// returns false for a fraction, however small, and for a number outside an
// int64. It decides by the digits and rounds nothing; the caller checks bounds.
// O(len(number)).
func WholeNumber(number string) (Tokens, bool) {
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return Tokens(n), true
	}
	// The number is digits 10^zeros, the digits with their sign and without a zero at the end.
	mantissa, power, scaled := strings.Cut(strings.ToLower(number), "e")
	if !scaled {
		power = "0"
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	trimmed := len(whole) + len(fraction) - len(digits)
	if digits == "" || digits == "-" {
		return 0, trimmed > 0
	}
	exponent, err := strconv.Atoi(power)
	const maxZeros = 19 // an int64 has no more digits
	zeros := exponent + trimmed - len(fraction)
	if err != nil || zeros < 0 || zeros > maxZeros {
		return 0, false // a fraction, or beyond an int64
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", zeros), 10, 64)
	return Tokens(n), err == nil
}

// writer writes JSON on one line. What it writes is valid.
type writer struct{ bytes.Buffer }

// key begins a member.
func (w *writer) key(name string) {
	if w.Bytes()[w.Len()-1] != '{' {
		w.WriteByte(',')
	}
	w.quote(name)
	w.WriteByte(':')
}

func (w *writer) quote(s string) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes, and a buffer takes it
	w.Truncate(w.Len() - 1)
}

func (w *writer) number(n Tokens) { w.WriteString(strconv.FormatInt(int64(n), 10)) }

func (w *writer) float(f float64) {
	b, _ := json.Marshal(f) // finite: checked
	w.Write(b)
}
