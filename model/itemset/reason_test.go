package itemset

import "testing"

func TestReasonsOfOneRecord(t *testing.T) {
	for reason, want := range map[string]string{
		"timestamps not understood, left out": "1 timestamp not understood, left out",
		"empty messages":                      "1 empty message",
		"messages without a timestamp":        "1 message without a timestamp",
		"system prompts or tools without a timestamp, given the first that there is":               "1 system prompt or tool without a timestamp, given the first that there is",
		"answers whose usage cannot be the count of their text, which is estimated instead":        "1 answer whose usage cannot be the count of its text, which is estimated instead",
		"scores that are not finite numbers, left out":                                             "1 score that is not a finite number, left out",
		"blocks that repeat one of an earlier row of their message, left out":                      "1 block that repeats one of an earlier row of its message, left out",
		"documents without a score among others that have one":                                     "1 document without a score among others that have one",
		"compactions that do not say what they left: the user's messages and the summary are kept": "1 compaction that does not say what it left: the user's messages and the summary are kept",
		`attachment rows of type "messages that are"`:                                              `1 attachment row of type "messages that are"`,
		"document ends early":                   "1 document ends early",
		"not JSON":                              "1 not JSON",
		"":                                      "1 ",
		"rows that appear twice, by their uuid": "1 row that appears twice, by its uuid",
		"messages that":                         "1 message that",
	} {
		if got := CountReason(1, reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
		if got := CountReason(2000, reason); got != "2,000 "+reason {
			t.Errorf("%q: %q", reason, got)
		}
	}
}
