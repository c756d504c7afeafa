package itemset

import (
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// CountReason returns a number and the reason of an Entry, which is written for
// several records: "2 timestamps not understood", "1 timestamp not understood".
func CountReason(n int, reason string) string {
	if n == 1 {
		reason = singular(reason)
	}
	return plain.Thousands(n) + " " + reason
}

// countedNouns are the nouns with which reasons begin, also after an adjective.
var countedNouns = strings.Fields("answers attachments blocks compactions contents counts distances documents duplicates embeddings events fields files folders hints" +
	" items labels lines links members messages numbers observations parts pieces pipelines prompts reasons records results rows scores sets spans texts timestamps tools turns values")

// subjectEnds are the words at which the subject of a reason ends.
var subjectEnds = strings.Fields("about as before beside besides beyond given left not of on outside read taken that which whose with without wrapped")

// verbs are those that stand in reasons after "that", by their plural.
var verbs = map[string]string{
	"appear": "appears", "are": "is", "do": "does", "fall": "falls", "name": "names", "repeat": "repeats", "report": "reports", "rise": "rises",
}

// singular returns the reason of several records as the reason of one. A reason that does not
// begin with what it counts stays as it is.
func singular(reason string) string {
	words := strings.Split(reason, " ")
	found := false
	for i, word := range words {
		if slices.Contains(subjectEnds, word) {
			if verb := verbs[words[min(i+1, len(words)-1)]]; found && word == "that" && verb != "" {
				words[i+1] = verb
			}
			break
		}
		if noun := strings.TrimRight(word, ",:"); slices.Contains(countedNouns, noun) {
			words[i], found = strings.Replace(word, noun, noun[:len(noun)-1], 1), true
		}
	}
	if !found {
		return reason
	}
	for i, word := range words {
		switch word {
		case "their":
			words[i] = "its"
		case "they":
			words[i] = "it"
		}
	}
	return strings.Replace(strings.Join(words, " "), "not finite numbers", "not a finite number", 1)
}
