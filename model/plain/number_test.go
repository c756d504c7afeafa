package plain

import (
	"math"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 123456: "123,456", 1234567: "1,234,567",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items", 2000: "2,000 items", -1: "-1 items"} {
		if got := Count(n, "item"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0 %", 0.0004: "<0.1 %", 0.0005: "0.1 %", 0.051: "5.1 %", 0.05: "5.0 %", 0.0994: "9.9 %", 0.0996: "10 %", 0.456: "46 %", 0.525: "53 %", 0.99: "99 %", 0.994: "99.4 %", 0.99999: "99.9 %", 1: "100 %", 1.3: "130 %",
	} {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
	if got := Percent(math.NaN()); got != "-" {
		t.Errorf("of no number it is %q", got)
	}
}

func TestSizesAndAges(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 49_600: "50 kB", 999_499: "999 kB", 999_500: "1.0 MB", 1_234_567: "1.2 MB", 9_949_999: "9.9 MB", 9_950_000: "10 MB", 1_500_000_000: "1,500 MB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-time.Hour: "0 min", 59 * time.Second: "0 min", time.Hour - 1: "59 min", time.Hour: "1 h", 24*time.Hour - 1: "23 h", 24 * time.Hour: "1 d", 24000 * time.Hour: "1,000 d"} {
		if got := Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
