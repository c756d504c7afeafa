package turns

import (
	"regexp"
	"strings"

	"cupelscope/model"
)

// modelCaches returns the caches of models by name, as their providers bill them: for
// Anthropic's with a lifetime of five minutes. What Unverified names was not found in the
// provider's own documentation but in what others quote of it.
func modelCaches() []Cache {
	const (
		anthropic = "https://platform.claude.com/docs/en/about-claude/pricing"
		openai    = "https://developers.openai.com/api/docs/pricing"
		quoted    = "price, minimum"
	)
	claude := func(name string, input, read float64, minimum model.Tokens, unverified string) Cache {
		return Cache{Name: name, Read: read, Write: 1.25, Minimum: minimum, Step: 1, Input: input, Source: anthropic, Date: "2026-10", Unverified: unverified}
	}
	gpt := func(name string, input, read float64) Cache {
		return Cache{Name: name, Read: read, Write: 1, Minimum: 1024, Step: 128, Input: input, Source: openai, Date: "2026-11", Unverified: "price"}
	}
	long := func(c Cache, from model.Tokens, factor float64) Cache {
		c.Long, c.LongFactor = from, factor
		return c
	}
	return []Cache{
		claude("claude-fable-5", 10, .1, 512, quoted),
		claude("claude-opus-5", 5, .1, 512, quoted),
		claude("claude-opus-4-8", 5, .1, 1024, quoted),
		claude("claude-opus-4-7", 5, .1, 2048, quoted),
		claude("claude-opus-4-6", 5, .1, 4096, quoted),
		claude("claude-opus-4-5", 5, .1, 4096, quoted),
		claude("claude-opus-4-1", 15, .1, 1024, ""),
		claude("claude-opus-4", 15, .1, 1024, ""),
		claude("claude-sonnet-5", 2, .1, 1024, quoted),
		claude("claude-sonnet-4-6", 3, .1, 1024, quoted),
		long(claude("claude-sonnet-4-5", 3, .1, 1024, quoted), 200_000, 2),
		long(claude("claude-sonnet-4", 3, .1, 1024, ""), 200_000, 2),
		claude("claude-3-7-sonnet", 3, .1, 1024, ""),
		claude("claude-3-5-sonnet", 3, .1, 1024, ""),
		claude("claude-haiku-4-5", 1, .1, 4096, quoted),
		claude("claude-3-5-haiku", .8, .1, 2048, ""),
		claude("claude-3-haiku", .25, .12, 2048, ""),
		gpt("gpt-5.4", 2.5, .1),
		gpt("gpt-5.3-codex", 1.75, .1),
		gpt("gpt-5.2-codex", 1.75, .1),
		gpt("gpt-5.2", 1.75, .1),
		gpt("gpt-5.1-codex", 1.25, .1),
		gpt("gpt-5.1", 1.25, .1),
		gpt("gpt-5-codex", 1.25, .1),
		gpt("gpt-5-mini", .25, .1),
		gpt("gpt-5", 1.25, .1),
		gpt("gpt-4.1", 2, .25),
		gpt("gpt-4o", 2.5, .5),
	}
}

// CacheOfModel returns the cache of a model, as a log names it: with the provider before
// a slash or a point, a date or a variant behind. It returns false if there is no row.
func CacheOfModel(name string) (Cache, bool) {
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if at := strings.Index(name, "claude"); at > 0 {
		name = name[at:]
	}
	name = modelVariant.ReplaceAllString(name, "")
	for _, c := range modelCaches() {
		if name == c.Name || strings.HasPrefix(name, "claude") && strings.ReplaceAll(name, ".", "-") == c.Name {
			return c, true
		}
	}
	return Cache{}, false
}

// modelVariant is what follows the name of a model: a date, a version of a deployment, a
// size of the window.
var modelVariant = regexp.MustCompile(`(-latest|[-@]20\d\d-?\d\d-?\d\d)?(-v\d+)?([:\[].*)?$`)
