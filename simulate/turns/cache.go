package turns

import (
	"cmp"
	"fmt"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Cache describes a provider's prompt cache: its prices relative to the price of an
// input token, and which prefixes it keeps.
type Cache struct {
	Name  string
	Read  float64 // price of a token that is read from the cache, 0 to 1000
	Write float64 // price of a token that is written to it, 0 to 1000
	// Minimum is the length of the shortest prefix that is cached, in tokens.
	// Longer ones are cached in steps of Step tokens, at least 1.
	Minimum, Step model.Tokens
	// Input is the price of a million input tokens in dollars; 0: it is not known. A
	// prompt of more than Long tokens costs LongFactor times as much; Long 0: it does not.
	Input      float64
	Long       model.Tokens
	LongFactor float64
	// Source is where the numbers come from, and Date is when they were read
	// there. Unverified names those that the provider's own documentation does
	// not state.
	Source, Date, Unverified string
}

// Caches returns the presets; the first is the default. Prices and minimums
// differ from model to model. The presets have the usual ones, and each number
// can be changed.
func Caches() []Cache {
	const (
		anthropic = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching"
		openai    = "https://developers.openai.com/api/docs/guides/prompt-caching"
		cookbook  = "https://developers.openai.com/cookbook/examples/prompt_caching_201"
	)
	return []Cache{
		// Reads cost less for some models (0.05, 0.025), and the minimum is 512 to 4,096.
		{Name: "anthropic-5m", Read: .1, Write: 1.25, Minimum: 1024, Step: 1, Source: anthropic, Date: "2026-10"},
		{Name: "anthropic-1h", Read: .1, Write: 2, Minimum: 1024, Step: 1, Source: anthropic, Date: "2026-10"},
		// Models before GPT-5.6. Reads cost 0.5 for gpt-4o, 0.25 for gpt-4.1.
		{Name: "openai", Read: .1, Write: 1, Minimum: 1024, Step: 128, Source: cookbook, Date: "2026-10"},
		{Name: "openai-5.6", Read: .1, Write: 1.25, Minimum: 1024, Step: 1, Source: openai, Date: "2026-10", Unverified: "step"},
		{Name: "none", Read: 1, Write: 1, Minimum: model.MaxTokens + 1, Step: 1}, // no prefix is that long
	}
}

// CacheNames returns the names of the presets.
func CacheNames() []string {
	return plain.Texts(Caches(), func(c Cache) string { return c.Name })
}

// FindCache returns the preset or the model's row with the given name, or false if there
// is none.
func FindCache(name string) (Cache, bool) {
	for _, c := range append(Caches(), modelCaches()...) {
		if c.Name == name {
			return c, true
		}
	}
	return Cache{}, false
}

// Validate returns an error that names the first number that is out of bounds,
// or nil.
func (c Cache) Validate() error {
	price := func(name string, v float64) error {
		if !(0 <= v && v <= 1000) {
			return fmt.Errorf("cache %s: the price of a token is %v, must be 0 to 1000 (an input token costs 1)", name, v)
		}
		return nil
	}
	if err := cmp.Or(price("read", c.Read), price("write", c.Write)); err != nil {
		return err
	}
	if c.Minimum < 0 || c.Minimum > model.MaxTokens+1 {
		return fmt.Errorf("cache minimum is %v, must be 0 to %v", c.Minimum, model.MaxTokens)
	}
	if c.Step < 1 || c.Step > model.MaxTokens {
		return fmt.Errorf("cache step is %v, must be 1 to %v", c.Step, model.MaxTokens)
	}
	return nil
}

// maxPrice is the highest price of a million input tokens.
const maxPrice = 1e6

// ParsePrice reads the price of a million input tokens. The error says which
// prices are allowed.
func ParsePrice(text string) (float64, error) {
	price, err := strconv.ParseFloat(text, 64)
	if err != nil || !(price > 0 && price <= maxPrice) {
		return 0, fmt.Errorf("%.40q must be a number above 0 and up to 1,000,000", text)
	}
	return price, nil
}

// Price returns the price of a cost in input tokens, at a price per million
// input tokens.
func Price(cost, perMillion float64) float64 { return cost / 1e6 * perMillion }
