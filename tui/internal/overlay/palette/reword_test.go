package palette

import "testing"

// Each line is read as what stands behind it, and every pattern has one.
func TestRewordings(t *testing.T) {
	used := map[int]bool{}
	for typed, want := range map[string]string{
		"greedy instead of knapsack":          "greedy",
		"#16 instead of #15":                  "keep #16, drop #15",
		"replace #15 by #16":                  "keep #16, drop #15",
		"bring back #16 without dropping #15": "keep #16, keep #15",
		"What does #16 cost?":                 "keep #16",
		"why did #15 leave":                   "why #15",
		"what falls out first":                "less budget",
		"is greedy better than knapsack":      "knapsack vs greedy",
		"is knapsack better?":                 "greedy vs knapsack",
		"leave room for 2,000 tokens":         "reserve 2,000",
		"no reserve":                          "reserve 0",
		"without any safety margin":           "safety margin 0",
		"no slack":                            "slack 0",
		"prefer newer items":                  "double recency",
		"boost recency":                       "double recency",
		"boost memory":                        "more memory",
		"penalise tool output":                "less tool output",
		"more memory, less tool":              "double kind memory and half kind tool",
		"use knapsack":                        "knapsack",
		"cut everything to 1000":              "shrink all to 1000",
		"truncate tool outputs":               "shrink tool outputs",
		"truncate #16":                        "truncate #16",
		"minus 2000":                          "budget -2000",
		"+ 2k":                                "budget +2k",
		"10 % less budget":                    "budget -10 %",
		"2000 more tokens":                    "budget +2000",
		"at least half documents":             "at least 50 % documents",
		"at most a quarter tool output":       "at most 25 % tool output",
		"exactly 3 documents":                 "at least 3 documents, at most 3 documents",
		"max 2 documents":                     "at most 2 documents",
		"limit tool output to 20 %":           "at most 20 % tool output",
		"unpin everything":                    "unpin",
		"forget old messages":                 "drop old messages",
		"freeze the memory":                   "pin the memory",
		"exclude the largest tool output":     "drop the largest tool output",
		"pin last message":                    "keep the last message",
		"drop everything over 2000 tokens":    "exclude over 2000",
		"which items are out?":                "filter is:out",
		"show pinned":                         "filter is:pinned",
		"items at risk":                       "filter is:risk",
		"what is at risk":                     "what is at risk",
		"list documents":                      "filter documents",
		`find "race"`:                         `filter "race"`,
		"keep duplicates":                     "dedup off",
		"copy the prompt":                     "copy window",
		"show me the prompt":                  "Window view",
		"show turns":                          "turns view",
		"price of $2.50 per million tokens":   "price 2.50",
		"show the cheapest plan":              "cheapest plan",
		"ask what races":                      "query what races",
		"open the file a.json":                "open a.json",
		"save it to a.json":                   "save as a.json",
		"export it as a.csv":                  "export to a.csv",
		"no quotas":                           "remove quotas",
		"cheapest":                            "cheapest plan",
		"load the policy from p.json":         "load policy p.json",
		"save policy as p.json":               "save policy as p.json",
		"budget for the needed items":         "the budget that holds all that is needed",
		"w":                                   "save",
		"q!":                                  "quit",
		"help pin":                            "pin",
		"add priority scorer":                 "+ scorer priority",
		"exclude the 2 oldest messages":       "drop the 2 oldest messages",
		"bring back 15":                       "bring back #15",
		"keep 5 messages":                     "keep 5 messages",
		"A vs B":                              "Compare view",
		"start over":                          "back to how it was opened",
		"go back":                             "undo",
		"pin item 16":                         "pin #16",
		"12000":                               "12000",
		"preset rag":                          "preset rag",
	} {
		if got := reworded(typed); got != want {
			t.Errorf("%q is read as %q, want %q", typed, got, want)
		}
		for k, pattern := range patterns() {
			if pattern.MatchString(typed) {
				used[k] = true
				break
			}
		}
	}
	for k, r := range rewordings {
		if !used[k] {
			t.Errorf("no line is read by %q", r.said)
		}
	}
}
