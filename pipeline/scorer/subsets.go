package scorer

// Inclusion and exclusion over subsets of tags.
//
// With W(T) the weight of all sets that have at least the tags T,
//
//	overlap of set S  =  sum of (-1)^(|T|+1) * W(T) over all T in S but the empty one
//	with a or b       =  with a  +  with b  -  with a and b
//
// The subsets form a tree: the children of T add one tag that comes after those
// of T. Each node holds the sets that have its tags, so W is their weight, and a
// child's sets are found by looking at the tags after those of T in each of them.
//
//	{}  -- a: 1 2 3 -- ab: 1 3 -- abc: 1
//	    |           |- ac: 1 2
//	    |- b: 1 3 4 -- bc: 1 4
//
// At a node with few sets the branch ends. What set B adds to the overlap of A
// by T and all subsets below is W(B) times the sum of (-1)^|R| over all subsets
// R of the later tags that A and B have in common, which is 1 if there are none
// and 0 otherwise. So the tree is as large as many sets have tags in common by
// twos, threes and more.

// subsetCount counts the overlaps among the sets that have at most a number of
// tags.
type subsetCount struct {
	*tagSets
	polls  *poller
	most   int       // tags of a set; larger sets are left out
	limit  int64     // of steps
	counts []int     // by set
	size   []int32   // by tag: sets of the child that adds it; 0 between two nodes
	nodes  []subsets // by number of tags, reused
}

// subsets is the children of a node.
type subsets struct {
	added   []int32  // the tag that each child adds
	ends    []int32  // where the members of each child end
	members []member // of one child after the other
}

// member is a set at a node: its tags from next on are after those of the node.
type member struct{ set, next int32 }

// fewSets is up to how many sets of a node all pairs are compared.
const fewSets = 6

// run fills counts. It is false where that takes more steps than the limit; the
// error is the context's.
func (c *subsetCount) run() (bool, error) {
	c.counts, c.size, c.nodes = make([]int, len(c.tags)), make([]int32, c.known), make([]subsets, c.most+1)
	var all []member
	for i, tags := range c.tags {
		if len(tags) <= c.most {
			all = append(all, member{set: int32(i)})
		}
	}
	return c.visit(all, 0)
}

// visit counts by all nodes below one that has a number of tags.
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

// fill lays out the members of all children, whose numbers are in size, and
// clears size.
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
		c.size[tag] = start // from here on where its next member goes
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

// compare counts by a node and all below it, a pair of sets at a time.
func (c *subsetCount) compare(sets []member, sign int) {
	for i, a := range sets {
		rest := c.tags[a.set][a.next:]
		if len(rest) == 0 {
			c.counts[a.set] += sign * c.weights[a.set]
		}
		for _, b := range sets[i+1:] {
			if disjoint(rest, c.tags[b.set][b.next:]) {
				c.counts[a.set] += sign * c.weights[b.set]
				c.counts[b.set] += sign * c.weights[a.set]
			}
		}
	}
}

// disjoint reports whether two ascending lists have nothing in common.
func disjoint(a, b []int32) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			return false
		}
	}
	return true
}
