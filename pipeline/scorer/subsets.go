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

//
// A node that is not compared directly numbers its sets anew and copies their later
// tags. So what its children read, which is most of all steps, lies together.

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

// subsets is the sets of a node and its children.
type subsets struct {
	tags    []int32  // of one set after the other: those after the tags of the node
	weights []int    // by set
	counts  []int    // by set: what the nodes below contribute
	added   []int32  // the tag that each child adds
	ends    []int32  // where the members of each child end
	members []member // of one child after the other
}

// member is a set of a node that is in a child, too. Its tags from next up to end are
// after those of the child.
type member struct{ set, next, end int32 }

// fewSets is the largest number of sets of a node that are compared directly, as
// the bits of a word.
const fewSets = 64

// run fills counts. It returns false if that takes more steps than the limit, or
// with the context's error.
func (c *subsetCount) run() (bool, error) {
	c.nodes = make([]subsets, c.most+1)
	c.size, c.having = make([]int32, c.known), make([]uint64, c.known)
	all := subsets{weights: c.weights, counts: make([]int, len(c.tags))}
	c.counts = all.counts
	for i, tags := range c.tags {
		if len(tags) <= c.most {
			next := int32(len(all.tags))
			all.tags = append(all.tags, tags...)
			all.members = append(all.members, member{int32(i), next, int32(len(all.tags))})
		}
	}
	return c.visit(&all, all.members, 0)
}

// visit adds to the counts of a node what one of its children and all nodes below
// that contribute. The child has the given sets and number of tags. It returns what
// run returns.
func (c *subsetCount) visit(above *subsets, sets []member, tags int) (bool, error) {
	node := &c.nodes[tags]
	node.tags, node.weights, node.added = node.tags[:0], node.weights[:0], node.added[:0]
	for _, m := range sets {
		node.weights = append(node.weights, above.weights[m.set])
		for _, tag := range above.tags[m.next:m.end] {
			node.tags = append(node.tags, tag)
			if c.size[tag]++; c.size[tag] == 1 {
				node.added = append(node.added, tag)
			}
		}
	}
	node.counts = append(node.counts[:0], make([]int, len(sets))...)
	steps := len(node.tags)
	c.limit -= int64(steps)
	c.fill(node, sets)
	if err := c.polls.add(steps); err != nil || c.limit < 0 {
		return false, err
	}
	sign := 1 - tags&1*2
	start := int32(0)
	for _, end := range node.ends {
		child := node.members[start:end]
		start = end
		if len(child) <= fewSets {
			c.compare(node, child, sign)
			continue
		}
		weight := 0
		for _, m := range child {
			weight += node.weights[m.set]
		}
		for _, m := range child {
			node.counts[m.set] += sign * weight
		}
		if done, err := c.visit(node, child, tags+1); !done {
			return false, err
		}
	}
	for k, m := range sets {
		above.counts[m.set] += node.counts[k]
	}
	return true, nil
}

// fill fills the members of all children and clears size, which holds the
// number of members of each child.
func (c *subsetCount) fill(node *subsets, sets []member) {
	if cap(node.members) < len(node.tags) {
		node.members = make([]member, len(node.tags))
	}
	node.members, node.ends = node.members[:len(node.tags)], node.ends[:0]
	end := int32(0)
	for _, tag := range node.added {
		start := end
		end += c.size[tag]
		node.ends = append(node.ends, end)
		c.size[tag] = start // now the index of its next member
	}
	next := int32(0)
	for k, m := range sets {
		for last := next + m.end - m.next; next < last; {
			at := &c.size[node.tags[next]]
			next++
			node.members[*at] = member{int32(k), next, last}
			*at++
		}
	}
	for _, tag := range node.added {
		c.size[tag] = 0
	}
}

// compare adds to the counts of a node what a child of at most fewSets sets and all
// nodes below it contribute: for each set, the weight of the sets that have no later
// tag in common with it. It takes one step for each later tag of each set, and one for
// each pair that has one in common.
func (c *subsetCount) compare(node *subsets, sets []member, sign int) {
	total := 0
	for i, m := range sets {
		total += node.weights[m.set]
		for _, tag := range node.tags[m.next:m.end] {
			c.having[tag] |= 1 << i
		}
	}
	for _, m := range sets {
		overlapping := uint64(0)
		for _, tag := range node.tags[m.next:m.end] {
			overlapping |= c.having[tag]
		}
		disjoint := total
		for ; overlapping != 0; overlapping &= overlapping - 1 {
			disjoint -= node.weights[sets[bits.TrailingZeros64(overlapping)].set]
		}
		node.counts[m.set] += sign * disjoint
	}
	for _, m := range sets {
		for _, tag := range node.tags[m.next:m.end] {
			c.having[tag] = 0
		}
	}
}
