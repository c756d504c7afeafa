package model

import "cupelscope/model/plain"

// Preset returns the policy of Presets with the given name, or false if there
// is none. Names are case-sensitive.
func Preset(name string) (Policy, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Policy{}, false
}

// PresetNames returns the names of Presets.
func PresetNames() []string {
	return plain.Texts(Presets(), func(p Policy) string { return p.Name })
}

// Presets returns Cupel's seven named policies (specification, chapter
// Policies): chat, code-review, rag, document-qa, tool-use, long-running and
// debugging. All of them deduplicate and throw on overflow.
func Presets() []Policy {
	preset := func(name, about string, slicer SlicerType, placer PlacerType, scorers ...Scorer) Policy {
		p := NewPolicy(scorers...)
		p.Name, p.Description, p.Slicer, p.Placer = name, about, slicer, placer
		return p
	}
	w := func(t ScorerType, weight float64) Scorer { return Scorer{Type: t, Weight: weight} }
	documents := preset("document-qa", "questions over a few long documents",
		Knapsack, UShaped, w(ScoreKind, 2), w(ScoreReflexive, 2), w(ScorePriority, 1))
	documents.BucketSize = DefaultBucketSize
	return []Policy{
		preset("chat", "conversations: the newest first", Greedy, Chronological, w(ScoreRecency, 3), w(ScoreKind, 1)),
		preset("code-review", "kind and priority before recency", Greedy, Chronological, w(ScoreKind, 2), w(ScorePriority, 2), w(ScoreRecency, 1)),
		preset("rag", "retrieved text by its relevance", Greedy, UShaped, w(ScoreReflexive, 3), w(ScoreKind, 1)),
		documents,
		preset("tool-use", "agents: kind and recency alike", Greedy, Chronological, w(ScoreKind, 2), w(ScoreRecency, 2), w(ScorePriority, 1)),
		preset("long-running", "recency, and what is mentioned often", Greedy, Chronological, w(ScoreRecency, 3), w(ScoreFrequency, 1), w(ScoreKind, 1)),
		preset("debugging", "what was marked as important", Greedy, Chronological, w(ScorePriority, 3), w(ScoreKind, 2), w(ScoreRecency, 1)),
	}
}
