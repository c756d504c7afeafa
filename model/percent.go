package model

import (
	"fmt"
	"strconv"
	"strings"
)

// ParsePercent parses a percentage from 0 to 100 as people type it, with or without
// the sign: "80", "2.5 %". A number between 0 and 1 must have the sign, because it may
// be a share instead: the error has both readings. Files have no sign and are not read
// with ParsePercent.
func ParsePercent(text string) (float64, error) {
	number, signed := strings.CutSuffix(strings.TrimSpace(text), "%")
	number = strings.TrimSpace(number)
	percent, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%.40q is not a percentage (use 80 or 2.5)", text)
	case !(percent >= 0 && percent <= 100):
		return 0, fmt.Errorf("%.40q must be 0 to 100 percent", text)
	case !signed && percent > 0 && percent < 1:
		return 0, fmt.Errorf("%.40s: write %s%% (a share) or %.40[1]s%% (less than one percent)", number, scaled(percent, 2))
	}
	return percent, nil
}

// ShareOfPercent converts a percentage to a share from 0 to 1, rounded as if
// the share had been written out: 29 gives 0.29. It returns false if the
// percentage is not from 0 to 100.
func ShareOfPercent(percent float64) (float64, bool) {
	if !(0 <= percent && percent <= 100) {
		return 0, false
	}
	share, err := strconv.ParseFloat(scaled(percent, -2), 64)
	return share, err == nil
}

// scaled returns v times a power of ten in digits, without the rounding of a product.
func scaled(v float64, power int) string {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', -1, 64)+"e"+strconv.Itoa(power), 64)
	return strconv.FormatFloat(v, 'f', -1, 64)
}
