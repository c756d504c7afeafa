package model

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"cupelscope/model/plain"
)

// Tokens is a number of tokens. It is negative only as the count of an item,
// which excludes the item, and as a difference.
type Tokens int64

const (
	// MaxTokens is the largest number of tokens accepted anywhere: for an item, a
	// field of a budget or a reserved slot.
	MaxTokens Tokens = 1 << 40
	// MaxItems is the largest number of items in a Set. Together with
	// MaxTokens it guarantees that no sum of tokens overflows an int64.
	MaxItems = 1<<23 - 1
)

// String returns the number with thousands separators: 32000 is "32,000". So %v
// and %s print it; %d prints 32000.
func (t Tokens) String() string { return plain.Thousands(t) }

// Short returns the number rounded to three figures, for numbers up to
// MaxTokens in at most five columns and a sign: "950", "9.5k", "128k", "1.2M",
// "1.1T". Use it where the exact number is shown elsewhere.
func (t Tokens) Short() string {
	n, sign := int64(t), ""
	if n < 0 {
		n, sign = -n, "-"
	}
	if n < 1000 {
		return sign + strconv.FormatInt(n, 10)
	}
	v, unit := float64(n), ""
	for _, u := range [...]string{"k", "M", "G", "T"} {
		v, unit = v/1000, u
		if v < 999.5 {
			break
		}
	}
	if v < 99.95 {
		s := strconv.FormatFloat(v, 'f', 1, 64)
		return sign + strings.TrimSuffix(s, ".0") + unit
	}
	return sign + strconv.FormatFloat(v, 'f', 0, 64) + unit
}

// ParseTokens reads a number of tokens as a person types it: "32000", "32,000",
// "32_000", "32k" (32,000), "32Ki" (32,768), "1.5M", "2Mi". The units k, M, G,
// Ki, Mi and Gi may be in upper or lower case. The result must be a whole
// number from 0 to MaxTokens.
func ParseTokens(s string) (Tokens, error) {
	text := strings.TrimSpace(s)
	text = strings.NewReplacer(",", "", "_", "").Replace(text)
	unit := int64(1)
	for _, u := range [...]struct {
		suffix string
		unit   int64
	}{{"ki", 1 << 10}, {"mi", 1 << 20}, {"gi", 1 << 30}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}} {
		if head, ok := strings.CutSuffix(strings.ToLower(text), u.suffix); ok {
			text, unit = strings.TrimSpace(head), u.unit
			break
		}
	}
	v, ok := new(big.Rat), len(text) <= 24 && strings.Trim(text, "0123456789.") == ""
	if ok {
		_, ok = v.SetString(text)
	}
	switch {
	case !ok:
		return 0, fmt.Errorf("not a number of tokens: %.40q (use 32000, 32,000, 32k or 32Ki)", s)
	case !v.Mul(v, new(big.Rat).SetInt64(unit)).IsInt():
		return 0, fmt.Errorf("not a number of tokens: %.40q is not a whole number of tokens", s)
	case v.Cmp(new(big.Rat).SetInt64(int64(MaxTokens))) > 0:
		return 0, fmt.Errorf("not a number of tokens: %.40q is more than %v", s, MaxTokens)
	}
	return Tokens(v.Num().Int64()), nil
}

// Provenance says where the token count of an item comes from.
type Provenance uint8

const (
	FromFile  Provenance = iota // given with the item
	Exact                       // counted with the item's encoding
	Estimated                   // estimated from the text
	Opaque                      // estimated from the size of a payload that is not text
	FromUsage                   // the usage of an answer as its provider reports it, including the framing of the call
)

// String returns one word for the provenance: "given", "counted", "estimated",
// "opaque" or "usage".
func (p Provenance) String() string {
	names := [...]string{FromFile: "given", Exact: "counted", Estimated: "estimated", Opaque: "opaque", FromUsage: "usage"}
	if int(p) < len(names) {
		return names[p]
	}
	return "unknown"
}

// IsExact reports whether the count is exact: it is FromFile or Exact.
func (p Provenance) IsExact() bool { return p == FromFile || p == Exact }
