package plain

import "strconv"

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
