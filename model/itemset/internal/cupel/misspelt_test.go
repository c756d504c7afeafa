package cupel

import (
	"testing"

	"cupelscope/model/musttest"
)

func TestMisspeltKeys(t *testing.T) {
	for _, c := range []struct{ name, key, meant string }{
		{"a letter less", "token", "tokens"},
		{"a letter more", "contents", "content"},
		{"another letter", "prioritz", "priority"},
		{"two that changed places", "pinend", "pinned"},
		{"the first letter missing", "ontent", "content"},
		{"upper case", "Tokens", "tokens"},
		{"all upper case", "FUTURERELEVANCEHINT", "futureRelevanceHint"},
		{"an underscore", "time_stamp", "timestamp"},
		{"another language's, with a slip", "future_relevance_hints", "futureRelevanceHint"},
		{"two slips", "prorit", ""},
		{"a word of its own", "title", ""},
		{"too short to tell", "tag", ""},
		{"empty", "", ""},
		{"only underscores", "____", ""},
	} {
		musttest.Is(t, nearestKey(c.key), c.meant, c.name, c.key, "is taken for")
	}
}
