package scorer

import (
	"math"
	"time"
)

const nanosPerSecond = 1_000_000_000

// secondsToUnix is the number of seconds from the zero time.Time to 1970.
// time.Time counts seconds from the year 1 in an int64; its method Unix
// subtracts this number and may wrap round, and adding it wraps back.
const secondsToUnix = 62135596800

// instant is a point in time: seconds from the year 1 and nanoseconds.
type instant struct {
	second int64
	nano   int64 // 0 to 999,999,999
}

func instantOf(t time.Time) instant {
	return instant{t.Unix() + secondsToUnix, int64(t.Nanosecond())}
}

// since returns the time from t to i, or 0 if t is later.
func (i instant) since(t instant) duration {
	if i.second < t.second || i.second == t.second && i.nano < t.nano {
		return duration{}
	}
	s := duration{uint64(i.second) - uint64(t.second), i.nano - t.nano} // the difference fits a uint64 always
	if s.nano < 0 {
		s.second, s.nano = s.second-1, s.nano+nanosPerSecond
	}
	return s
}

// duration is a length of time, which may be longer than a time.Duration can be.
type duration struct {
	second uint64
	nano   int64 // 0 to 999,999,999
}

// durationOf returns a number of seconds above 0 as a duration, rounded to whole
// nanoseconds. The result is at least one nanosecond and at most the longest
// duration.
func durationOf(seconds float64) duration {
	whole, part := math.Modf(seconds)
	if whole >= math.MaxUint64 {
		return duration{math.MaxUint64, nanosPerSecond - 1}
	}
	s := duration{uint64(whole), int64(math.Round(part * nanosPerSecond))}
	if s.nano == nanosPerSecond {
		s.second, s.nano = s.second+1, 0
	}
	if s == (duration{}) {
		s.nano = 1
	}
	return s
}

func (s duration) less(other duration) bool {
	return s.second < other.second || s.second == other.second && s.nano < other.nano
}

func (s duration) seconds() float64 { return float64(s.second) + float64(s.nano)/nanosPerSecond }
