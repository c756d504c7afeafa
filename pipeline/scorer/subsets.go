package scorer

import "math/bits"

// Overlaps are counted by inclusion and exclusion over subsets of tags.
//
// Let W(T) be the weight of all sets that have at least the tags T. Then
//
//	overlap of set S  =  sum of (-1)^(|T|+1) * W(T) over all non-empty subsets T of S
//	with a or b       =  with a  +  with b  -  with a and b
//
// The subsets form a tree: each child of T adds one tag that comes after the
// tags of T. A node holds the sets that have its tags, so W is the sum of their
// weights. The sets of its children are found by looking, in each of its sets,
// at the tags after those of T.
//
//	{}  -- a: 1 2 3 -- ab: 1 3 -- abc: 1
//	    |           |- ac: 1 2
//	    |- b: 1 3 4 -- bc: 1 4
//
// A branch ends at a node with few sets, which are compared directly. T and all
// subsets below it add to the overlap of A, for another set B, the weight of B
// times the sum of (-1)^|R| over all subsets R of the later tags that A and B
// have in common. That sum is 1 if they have no later tag in common, and 0
// otherwise. So the tree stays small unless many sets have two or more tags in
// common.

// subsetCount counts the overlaps among the sets with at most a given number of
// tags.
type subsetCount struct {
	*tagSets
	polls  *poller
	most   int       // the largest number of tags; larger sets are left out
	limit  int64     // steps left
	counts []int     // by set
	size   []int32   // by tag: number of sets of the child that adds it; 0 between two nodes
	having []uint64  // by tag: bits of the sets that have it, within compare; 0 between two calls
	nodes  []subsets // by number of tags, reused
}

// subsets holds the children of a node.
type subsets struct {
	added   []int32  // the tag that each child adds
	ends    []int32  // where the members of each child end
	members []member // of one child after the other
}

// member is a set at a node: its tags from next on are after those of the node.
type member struct{ set, next int32 }

// fewSets is the largest number of sets of a node that are compared directly, as
// the bits of a word.
const fewSets = 64

// run fills counts. It returns false if that takes more steps than the limit, or
// with the context's error.
func (c *subsetCount) run() (bool, error) {
	c.counts, c.nodes = make([]int, len(c.tags)), make([]subsets, c.most+1)
	c.size, c.having = make([]int32, c.known), make([]uint64, c.known)
	var all []member
	for i, tags := range c.tags {
		if len(tags) <= c.most {
			all = append(all, member{set: int32(i)})
		}
	}
	return c.visit(all, 0)
}

// visit adds to counts what all nodes below a node contribute. The node has the
// given sets and number of tags. It returns what run returns.
func (c *subsetCount) visit(sets []member, tags int) (bool, error) {
	node := &c.nodes[tags]
	steps := 0
	node.added = node.added[:0]
	for _, m := range sets {
		rest := c.tags[m.set][m.next:]
		steps += len(rest)
		for _, tag := range rest {
			if c.size[tag]++; c.size[tag] == 1 {
				node.added = append(node.added, tag)
			}
		}
	}
	c.limit -= int64(steps)
	c.fill(node, sets, steps)
	if err := c.polls.add(steps); err != nil || c.limit < 0 {
		return false, err
	}
	sign := 1 - tags&1*2
	start := int32(0)
	for _, end := range node.ends {
		child := node.members[start:end]
		start = end
		if len(child) <= fewSets {
			c.compare(child, sign)
			continue
		}
		weight := 0
		for _, m := range child {
			weight += c.weights[m.set]
		}
		for _, m := range child {
			c.counts[m.set] += sign * weight
		}
		if done, err := c.visit(child, tags+1); !done {
			return false, err
		}
	}
	return true, nil
}

// fill fills the members of all children and clears size, which holds the
// number of members of each child.
func (c *subsetCount) fill(node *subsets, sets []member, steps int) {
	if cap(node.members) < steps {
		node.members = make([]member, steps)
	}
	node.members, node.ends = node.members[:steps], node.ends[:0]
	end := int32(0)
	for _, tag := range node.added {
		start := end
		end += c.size[tag]
		node.ends = append(node.ends, end)
		c.size[tag] = start // now the index of its next member
	}
	for _, m := range sets {
		tags := c.tags[m.set]
		for k := int(m.next); k < len(tags); k++ {
			at := &c.size[tags[k]]
			node.members[*at] = member{m.set, int32(k) + 1}
			*at++
		}
	}
	for _, tag := range node.added {
		c.size[tag] = 0
	}
}

// compare adds to counts what a node of at most fewSets sets and all nodes below it
// contribute: for each set, the weight of the sets that have no later tag in common
// with it. It takes one step for each later tag of each set, and one for each pair
// that has one in common.
func (c *subsetCount) compare(sets []member, sign int) {
	total := 0
	for i, m := range sets {
		total += c.weights[m.set]
		for _, tag := range c.tags[m.set][m.next:] {
			c.having[tag] |= 1 << i
		}
	}
	for _, m := range sets {
		overlapping := uint64(0)
		for _, tag := range c.tags[m.set][m.next:] {
			overlapping |= c.having[tag]
		}
		disjoint := total
		for ; overlapping != 0; overlapping &= overlapping - 1 {
			disjoint -= c.weights[sets[bits.TrailingZeros64(overlapping)].set]
		}
		c.counts[m.set] += sign * disjoint
	}
	for _, m := range sets {
		for _, tag := range c.tags[m.set][m.next:] {
			c.having[tag] = 0
		}
	}
}
