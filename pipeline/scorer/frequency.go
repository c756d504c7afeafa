package scorer

import (
	"context"
	"encoding/binary"
	"slices"

	"cupelscope/model"
)

// Frequency rates an item by the share of the other items that have at least
// one tag in common with it, 0 to 1. Tags compare with ASCII case folding. An
// item without tags gets 0, and so does an item that is alone in the list. See
// the Cupel specification, chapter FrequencyScorer.
//
// The items with one set of tags form a group and get the same score. The links
// of a group are its tags that another group has too; its other tags connect it
// to no other item. Groups with the same links overlap the same items, so only
// the distinct sets of links are compared (overlap.go):
//
//	group  tags        items        links         tag  groups
//	  0    go, test      40         go, test      go   0, 1
//	  1    go            25         go            test 0, 2
//	  2    test           3         test          ci   3
//	  3    ci             7         none
//
//	an item of group 0: (40 + 25 by "go") + (40 + 3 by "test") - 40 by both - itself
//
// The cost is O(n + tags) if few groups have several links in common, and more
// otherwise; the comment of tagSets.overlaps in overlap.go has the bound.
type Frequency struct{}

var _ Scorer = Frequency{}

// Score implements Scorer.
func (Frequency) Score(ctx context.Context, l List, dst []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(dst)
	if l.Len() < 2 {
		return nil
	}
	polls := poller{ctx: ctx}
	g, err := groupByTags(l, &polls)
	if err != nil {
		return err
	}
	sets, of, err := g.links(&polls)
	if err != nil {
		return err
	}
	common, err := sets.overlaps(ctx)
	if err != nil {
		return err
	}
	others := float64(l.Len() - 1)
	for k, group := range g.of {
		switch {
		case group < 0:
		case of[group] < 0:
			dst[k] = float64(g.size[group]-1) / others
		default:
			dst[k] = float64(common[of[group]]-1) / others
		}
	}
	return nil
}

// links returns the distinct sets of links, and for every group the number of
// its set, or -1 if it has no links.
func (g *tagGroups) links(polls *poller) (sets tagSets, of []int32, err error) {
	sets.known = len(g.groups)
	of = make([]int32, len(g.tags))
	numbers := make(map[string]int32)
	var links []int32
	var key []byte
	for i, tags := range g.tags {
		if err := polls.add(8 * len(tags)); err != nil {
			return sets, nil, err
		}
		links, key = links[:0], key[:0]
		for _, tag := range tags {
			if g.groups[tag] > 1 {
				links = append(links, tag)
				key = binary.LittleEndian.AppendUint32(key, uint32(tag))
			}
		}
		if len(links) == 0 {
			of[i] = -1
			continue
		}
		number, ok := numbers[string(key)]
		if !ok {
			number = int32(len(sets.tags))
			numbers[string(key)] = number
			sets.tags = append(sets.tags, slices.Clone(links))
			sets.weights = append(sets.weights, 0)
		}
		sets.weights[number] += g.size[i]
		of[i] = number
	}
	return sets, of, nil
}

// tagGroups groups the items of a list by their set of tags.
type tagGroups struct {
	of     []int32   // by position in the list: the group, -1 without tags
	tags   [][]int32 // by group: tag numbers, ascending
	size   []int     // by group: number of items
	groups []int     // by tag: the number of groups that have it
}

func groupByTags(l List, polls *poller) (*tagGroups, error) {
	g := &tagGroups{of: make([]int32, l.Len())}
	byFold := make(map[string]int32)
	bySet := make(map[string]int32)
	var set []int32
	var key []byte
	for k, item := range l.Items {
		tags := l.Set.Loaded(int(item)).Tags
		if len(tags) == 0 {
			g.of[k] = -1
			continue
		}
		set = set[:0]
		for _, tag := range tags {
			if err := polls.add(lookUp); err != nil {
				return nil, err
			}
			fold := model.FoldASCII(tag)
			id, ok := byFold[fold]
			if !ok {
				id = int32(len(byFold))
				byFold[fold] = id
			}
			set = append(set, id)
		}
		slices.Sort(set)
		set = slices.Compact(set)
		key = key[:0]
		for _, id := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(id))
		}
		group, ok := bySet[string(key)]
		if !ok {
			group = int32(len(g.tags))
			bySet[string(key)] = group
			g.tags = append(g.tags, slices.Clone(set))
			g.size = append(g.size, 0)
		}
		g.size[group]++
		g.of[k] = group
	}
	g.groups = make([]int, len(byFold))
	for _, tags := range g.tags {
		if err := polls.add(len(tags)); err != nil {
			return nil, err
		}
		for _, tag := range tags {
			g.groups[tag]++
		}
	}
	return g, nil
}
