package cupel

import (
	"strings"

	"cupelscope/model/plain"
)

// nearestKey is the key that is read of which the given one is a misspelling: upper
// for lower case, an underscore, or one slip of the fingers; "" if there is none.
// It costs a look at each character for the few keys of about the same length.
func nearestKey(key string) string {
	bare := strings.ReplaceAll(key, "_", "")
	if len(bare) < 4 { // tag or kin may well be meant
		return ""
	}
	lower := strings.ToLower(bare)
	for id := range itemKeys {
		name := itemKeys[id].name
		if d := len(name) - len(bare); -1 <= d && d <= 1 && plain.OneSlip(lower, strings.ToLower(name)) {
			return name
		}
	}
	return ""
}
