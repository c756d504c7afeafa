package plans

import (
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
)

// The model of a conversation chooses the plan of the agent and the cache, until the user does.
func TestTheModelChoosesThePlanAndTheCache(t *testing.T) {
	for model, plan := range map[string]string{"": "anthropic-clear", "Claude-Sonnet-4-5": "anthropic-clear", "gpt-4o": "langchain-clear", "no such model": "langchain-clear"} {
		p := New()
		p.SetModel(model)
		musttest.Is(t, p.PlanName(experiment.Setup{}), plan, "the plan of", model)
		musttest.Is(t, p.PlanName(experiment.Setup{Plan: "drop"}), "drop", "the plan that was typed for", model)
		own, known := turns.CacheOfModel(model)
		if !known {
			own = turns.Caches()[0]
		}
		musttest.Is(t, p.Cache(), own, "the cache of", model)
		other := turns.Caches()[len(turns.Caches())-1]
		p.SetCache(other)
		p.SetModel("gpt-4o")
		musttest.Is(t, p.Cache(), other, "the cache that was chosen for", model)
		musttest.Is(t, p.OwnCache(), false, "the cache is the model's")
	}
}
