package tokens

import (
	"context"
	"sort"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/model/relay"
)

// Text is a text to count, for the item of a set at Index.
type Text struct {
	Index   int
	Content string
	Extra   model.Tokens // added to the count of the text
}

// Pending returns the texts of the items of a set that were loaded with an
// Estimated token count.
func Pending(set *model.Set) []Text {
	var all []Text
	for i := range set.Len() {
		if _, count := set.LoadedTokens(i); count == model.Estimated {
			all = append(all, Text{Index: i, Content: set.Loaded(i).Content})
		}
	}
	return all
}

// Progress says how far CountAll has come, and carries new counts.
type Progress struct {
	Done, Total     int             // texts
	Bytes, BytesAll int64           // of texts
	Recounts        []model.Recount // the counts since the last report, often none; the receiver may keep the slice
}

// Percent returns the percentage of the bytes that are counted, rounded down;
// 100 if there are none.
func (p Progress) Percent() int {
	if p.BytesAll == 0 {
		return 100
	}
	return int(100 * p.Bytes / p.BytesAll)
}

const (
	// A Progress is reported after that many texts, or after progressBytes.
	progressTexts = 2048
	// Counts come along with it in so many batches at most, of at least so many
	// texts or bytes, because model.Set.Counted copies all counts each time.
	batches = 8
)

// CountAll counts texts with the given number of workers, at least one. It begins with the
// longest texts, whose estimates are furthest off, and counts equal texts once. It calls report
// from the calling goroutine; unless there is an error, the calls together carry the count of
// each text exactly once. The error is ctx's: CountAll returns within 50 ms after ctx is
// cancelled.
func (c *Counter) CountAll(ctx context.Context, texts []Text, workers int, report func(Progress)) error {
	groups := groupByContent(texts)
	progress := Progress{Total: len(texts)}
	for _, t := range texts {
		progress.BytesAll += int64(len(t.Content))
	}
	work, done := make(chan []Text), make(chan counted)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(work)
		for _, group := range groups {
			select {
			case work <- group:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range max(1, workers) {
		g.Go(func() error {
			return relay.Catch(func() error { return c.countGroups(ctx, work, done) })
		})
	}
	var failed error
	go func() { failed = g.Wait(); close(done) }()
	var batch []model.Recount
	batchTexts, batchBytes := max(progressTexts, len(texts)/batches), max(progressBytes, progress.BytesAll/batches)
	told, toldBytes, batched := 0, int64(0), int64(0) // told: texts and bytes of the last progress; batched: bytes up to the last batch
	tell := func(last bool) {
		progress.Recounts = nil
		if last || len(batch) >= batchTexts || len(batch) > 0 && progress.Bytes-batched >= batchBytes {
			progress.Recounts, batch = batch, nil
			batched = progress.Bytes
		}
		told, toldBytes = progress.Done, progress.Bytes
		report(progress)
	}
	for one := range done {
		for _, t := range one.group {
			batch = append(batch, model.Recount{Index: t.Index, Tokens: one.tokens + t.Extra, Count: one.count})
			progress.Done++
		}
		progress.Bytes += int64(one.bytes)
		if ctx.Err() == nil && (progress.Done-told >= progressTexts || progress.Bytes-toldBytes >= progressBytes) {
			tell(false)
		}
	}
	if failed != nil {
		relay.Release(failed)
		return failed
	}
	if len(batch) > 0 {
		tell(true)
	}
	return nil
}

// counted is what a worker of CountAll has counted.
type counted struct {
	group  []Text // none: only bytes of the text that is being counted
	bytes  int
	tokens model.Tokens
	count  model.Provenance
}

// countGroups counts the groups of equal texts that come from work.
func (c *Counter) countGroups(ctx context.Context, work <-chan []Text, done chan<- counted) error {
	for group := range work {
		left := len(group[0].Content)
		n, count, err := c.countTelling(ctx, group[0].Content, func(bytes int) {
			bytes = min(bytes, left) // text that is no UTF-8 grows
			left -= bytes
			select {
			case done <- counted{bytes: bytes}:
			case <-ctx.Done():
			}
		})
		if err != nil {
			return err
		}
		bytes := left + (len(group)-1)*len(group[0].Content)
		select {
		case done <- counted{group, bytes, n, count}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// groupByContent puts equal texts together, the longest first; texts of one
// length stay in order.
func groupByContent(texts []Text) [][]Text {
	at := make(map[string]int, len(texts))
	var groups [][]Text
	for _, t := range texts {
		i, ok := at[t.Content]
		if !ok {
			i = len(groups)
			at[t.Content] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	sort.SliceStable(groups, func(a, b int) bool { return len(groups[a][0].Content) > len(groups[b][0].Content) })
	return groups
}
