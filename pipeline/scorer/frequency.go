package scorer

import (
	"context"
	"encoding/binary"
	"slices"

	"cupelscope/model"
)

// Frequency rates an item by the share of the other items that have at least
// one tag in common with it; tags compare with ASCII case folding. No tags, or
// no other item: 0. Cupel specification, chapter FrequencyScorer.
//
// Items with the same set of tags get the same score, so it is the distinct
// tag sets (groups) that are compared: through an index from tag to groups,
// with a mark that keeps a group from being counted twice.
//
//	group  tags        size          tag  groups
//	  0    go, test      40          go   0, 1
//	  1    go            25          test 0, 2
//	  2    test           3          ci   3
//	  3    ci             7
//
//	group 0: 0 and 1 by "go", 2 by "test": (40 + 25 + 3 - 1) others
//
// A tag that no other group has links to nobody, so groups that agree in their
// other tags, the links, have the same items in common: that is counted once
// for each distinct set of links. A single link needs no list, as the tag's
// total is kept.
//
// Cost: O(total tags) to group, then for every distinct set of links the
// lengths of its tags' lists. Items with one common tag and one of their own
// each are linear; the worst case is n items with n different sets of several
// links that all share a tag: O(n^2) short steps.
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
	g := groupByTags(l)
	shares := make([]float64, len(g.tags))
	others := float64(l.Len() - 1)
	mark := make([]int32, len(g.tags)) // 1 + the group that counted it last
	steps := 0
	byLinks := make(map[string]int)
	var links []int32
	var key []byte
	for i, tags := range g.tags {
		links, key = links[:0], key[:0]
		for _, tag := range tags {
			if len(g.groups[tag]) > 1 {
				links = append(links, tag)
				key = binary.LittleEndian.AppendUint32(key, uint32(tag))
			}
		}
		common := -1 // not the item itself
		if known, ok := byLinks[string(key)]; ok && len(links) > 1 {
			common = known
		} else if len(links) == 0 {
			common += g.size[i]
		} else if len(links) == 1 {
			common += g.items[links[0]]
		} else {
			for _, tag := range links {
				for _, other := range g.groups[tag] {
					if mark[other] != int32(i)+1 {
						mark[other] = int32(i) + 1
						common += g.size[other]
					}
				}
				if steps += len(g.groups[tag]); steps >= 1<<20 {
					steps = 0
					if err := ctx.Err(); err != nil {
						return err
					}
				}
			}
			byLinks[string(key)] = common
		}
		shares[i] = float64(common) / others
	}
	for k, group := range g.of {
		if group >= 0 {
			dst[k] = shares[group]
		}
	}
	return nil
}

// tagGroups are the items of a list by their set of tags.
type tagGroups struct {
	of     []int32   // by position in the list: the group, -1 without tags
	tags   [][]int32 // by group: tag numbers, ascending
	size   []int     // by group: number of items
	groups [][]int32 // by tag: the groups that have it
	items  []int     // by tag: the items that have it
}

func groupByTags(l List) *tagGroups {
	g := &tagGroups{of: make([]int32, l.Len())}
	bySpelling := make(map[string]int32)
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
			id, ok := bySpelling[tag]
			if !ok {
				fold := model.FoldASCII(tag)
				if id, ok = byFold[fold]; !ok {
					id = int32(len(byFold))
					byFold[fold] = id
				}
				bySpelling[tag] = id
			}
			set = append(set, id)
		}
		slices.Sort(set)
		set = slices.Compact(set)
		key = key[:0]
		for _, id := range set {
			key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
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
	g.groups = make([][]int32, len(byFold))
	g.items = make([]int, len(byFold))
	for group, tags := range g.tags {
		for _, tag := range tags {
			g.groups[tag] = append(g.groups[tag], int32(group))
			g.items[tag] += g.size[group]
		}
	}
	return g
}
