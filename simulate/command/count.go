package command

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/tokens"
)

// method is how the texts of a source are counted that has no counts for them.
type method struct {
	encoding string
	// standIn says that encoding is not that of the model: counts are multiplied
	// with factor, and stay estimates.
	standIn  bool
	factor   float64
	overhead model.Tokens // for each message
	// note says in a line what may mislead about the counts; "" if nothing does.
	note string
}

const (
	// The bounds of --token-factor, which is 1 unless given: no vendor publishes how its
	// counts compare with those of o200k_base, and measurements of others differ by
	// model and sort of text.
	minFactor, maxFactor = 0.1, 10
	// maxOverhead bounds --message-overhead: beyond it, it is no framing.
	maxOverhead model.Tokens = 1000
)

// method reads the flags that say how to count. Without an encoding it is
// that of the model: the one asked for, else the one that the source names.
// Models whose encoding is not public, or that are not known, are counted with
// tokens.DefaultEncoding as a stand-in. Errors name the flag.
func (o Options) method(named string) (method, error) {
	m := method{encoding: o.Encoding, factor: 1}
	if _, err := tokens.NewCounter(o.Encoding); err != nil {
		return m, fmt.Errorf("--encoding: %w", err)
	}
	known, ok := tokens.FindModel(named)
	if o.Model != "" {
		named = o.Model
		if known, ok = tokens.FindModel(o.Model); !ok {
			return m, fmt.Errorf("--model: %w", &tokens.ModelError{Name: o.Model})
		}
	}
	if o.TokenFactor != "" {
		f, err := strconv.ParseFloat(o.TokenFactor, 64)
		if err != nil || !(f >= minFactor && f <= maxFactor) {
			return m, fmt.Errorf("--token-factor: %.40q must be a number from %v to %v, as in 1.15", o.TokenFactor, minFactor, maxFactor)
		}
		m.factor, m.standIn = f, true
	}
	if o.MessageOverhead != "" {
		n, err := model.ParseTokens(o.MessageOverhead)
		if err != nil {
			return m, fmt.Errorf("--message-overhead: %w", err)
		}
		if n > maxOverhead {
			return m, fmt.Errorf("--message-overhead: %v must be at most %v", n, maxOverhead)
		}
		m.overhead = n
	}
	if m.encoding == "" {
		m.encoding = known.Encoding
		if m.encoding == "" {
			m.encoding = tokens.DefaultEncoding
			m.standIn = m.standIn || named != ""
		}
	}
	times := ""
	if m.factor != 1 {
		times = fmt.Sprintf(" times %v", m.factor)
	}
	switch {
	case !m.standIn:
	case named == "" || known.Encoding != "" || o.Encoding != "":
		m.note = fmt.Sprintf("tokens are estimates: %s times %v (--token-factor)", m.encoding, m.factor)
	case ok:
		m.note = fmt.Sprintf("tokens are estimates: the encoding of %s is not public, so they are those of %s%s (--token-factor scales them)", named, m.encoding, times)
	default:
		m.note = fmt.Sprintf("tokens are estimates: the model %s is not known, so they are those of %s%s (--encoding makes them exact)", named, m.encoding, times)
	}
	return m, nil
}

// counter is what counts so.
func (m method) counter(all *tokens.Counters) (*tokens.Counter, error) {
	c, err := all.Get(m.encoding)
	if err == nil && m.standIn {
		c = c.StandIn(m.factor)
	}
	return c, err
}

// texts are what is to be counted in a set, with the overhead of messages.
func (m method) texts(set *model.Set) []tokens.Text {
	texts := tokens.Pending(set)
	if m.overhead > 0 {
		for k := range texts {
			if beginsMessage(set, texts[k].Index) {
				texts[k].Extra = m.overhead
			}
		}
	}
	return texts
}

// beginsMessage reports whether an item is the first of a message: its text,
// calls and thinking are items that follow each other. Of items that no chat
// format gives, those of the kinds that messages have are a message each.
func beginsMessage(set *model.Set, i int) bool {
	it := set.Loaded(i)
	role, _ := it.Metadata["role"].(string)
	if role == "" {
		return it.Metadata["part"] != "toolDefinition" &&
			(it.Kind.Is(model.Message) || it.Kind.Is(model.SystemPrompt) || it.Kind.Is(model.ToolOutput))
	}
	if i == 0 {
		return true
	}
	before := set.Loaded(i - 1)
	if before.Metadata["role"] != role {
		return true
	}
	if id := it.Metadata["messageId"]; id != nil || before.Metadata["messageId"] != nil {
		return id != before.Metadata["messageId"]
	}
	return it.Timestamp.Set != before.Timestamp.Set || !it.Timestamp.Value.Equal(before.Timestamp.Value)
}

// prepare fixes how o is counted, and brings its estimates in line with that.
func (o *Opened) prepare(m method) error {
	counter, err := m.counter(new(tokens.Counters))
	if err != nil {
		return err
	}
	o.method, o.counter = m, counter
	texts := m.texts(o.Set)
	if m.factor == 1 && m.overhead == 0 {
		return nil
	}
	all := make([]model.Recount, len(texts))
	for k, t := range texts {
		n := model.Tokens(math.Round(float64(o.Set.Loaded(t.Index).Tokens)*m.factor)) + t.Extra
		all[k] = model.Recount{Index: t.Index, Tokens: n, Count: model.Estimated}
	}
	return o.replace(all)
}

// Encoding names the encoding that Count counts with.
func (o *Opened) Encoding() string { return o.counter.Encoding() }

// countNote says in a line what may mislead about the counts that are not the
// source's own; "" if nothing does.
func (o *Opened) countNote() string {
	if len(tokens.Pending(o.Set)) == 0 {
		return ""
	}
	return o.method.note
}

// Count counts exactly the items whose token counts are estimates of text, and
// hands the counts on in batches as they come, the longest texts first. The
// encoding is the one asked for, else that of the model, else
// tokens.DefaultEncoding; see Options. Cancelling ctx ends it within 50 ms.
func (o *Opened) Count(ctx context.Context, emit func(tokens.Progress)) error {
	texts := o.method.texts(o.Set)
	if len(texts) == 0 {
		return nil
	}
	if err := o.counter.CountAll(ctx, texts, runtime.GOMAXPROCS(0), emit); err != nil {
		return fmt.Errorf("counting tokens: %w", err)
	}
	return nil
}

// settle counts what there is to count, and puts the counts into the set.
func (o *Opened) settle(ctx context.Context) error {
	var all []model.Recount
	if err := o.Count(ctx, func(p tokens.Progress) { all = append(all, p.Recounts...) }); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	if err := o.replace(all); err != nil {
		return err
	}
	o.Pending = nil
	o.Loaded.Report.Estimated = len(tokens.Pending(o.Set))
	return nil
}

// replace puts counts into the set.
func (o *Opened) replace(counts []model.Recount) error {
	set, err := o.Set.Counted(counts)
	if err != nil {
		return err
	}
	o.Set = set
	if o.Scenario.Set {
		o.Scenario.Value.Items = set
	}
	return nil
}
