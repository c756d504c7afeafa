package plain

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Percent returns a share, 0 to 1, as a percentage: "53 %", with one decimal below 10 and
// above 99: "5.1 %". A little is "<0.1 %" and never "0 %", and "100 %" is all. NaN is "-".
func Percent(share float64) string {
	tenths := math.Round(1000 * share)
	switch {
	case math.IsNaN(share):
		return "-"
	case share == 0 || share == 1:
	case share > 0 && tenths == 0:
		return "<0.1 %"
	case share < 1 && tenths > 990:
		return strconv.FormatFloat(min(99.9, tenths/10), 'f', 1, 64) + " %"
	case math.Abs(tenths) < 100:
		return strconv.FormatFloat(tenths/10, 'f', 1, 64) + " %"
	}
	return Thousands(int64(math.Round(100*share))) + " %" // a half goes up
}

// Compared returns a ratio as a difference, with what it is compared with unless that is "":
// "12 % more than A", "4.7 % less", "as much as A".
func Compared(ratio float64, with string) string {
	by, than := Percent(math.Abs(ratio-1)), " than "
	switch {
	case ratio == 1:
		by, than = "as much", " as "
	case ratio > 1:
		by += " more"
	default:
		by += " less"
	}
	if with == "" {
		return by
	}
	return by + than + with
}

// Thousands returns a whole number with thousands separators: 32000 is
// "32,000".
func Thousands[N ~int | ~int32 | ~int64 | ~uint64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		digits = strconv.FormatUint(uint64(n), 10)
	}
	first := 0 // of the digits, after the sign
	if digits[0] == '-' {
		first = 1
	}
	for i := len(digits) - 3; i > first; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count returns a number of things as text, with an s after thing unless n is
// 1: "1 item", "2,000 items".
func Count[N ~int | ~int32 | ~int64 | ~uint64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}

// ThereAre returns the rest of an error about an item number that no item has: "there are 3
// items, numbered from 0".
func ThereAre(n int) string {
	if n == 1 {
		return "there is 1 item, numbered from 0"
	}
	return "there are " + Count(n, "item") + ", numbered from 0"
}

// Bytes returns a size in bytes as text: "812 B", "50 kB", "1.2 MB", in powers of 1000.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 999_500:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 9_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return Thousands((n+500_000)/1_000_000) + " MB"
}

// Age returns how long ago something was, rounded down: "0 min", "2 h", "9 d". What is
// yet to come is "0 min".
func Age(d time.Duration) string {
	switch {
	case d < time.Hour:
		return fmt.Sprintf("%d min", max(0, d/time.Minute))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return Thousands(d/(24*time.Hour)) + " d"
}
