package itemset

import "strings"

// A wildcard is a pattern for paths as git writes them in .gitignore:
//
//	?      any byte but a slash
//	*      any bytes but slashes
//	**/    at the start, or after a slash: any folders, also none
//	/**    at the end: everything within
//	[a-z]  one byte of a set, [!a-z] or [^a-z] one that is not; [[:alpha:]] by class
//	\x     x itself
//
// Paths are matched byte by byte, against all ways to match at once: a match
// costs at most the length of the pattern for each byte of the path, whatever
// the pattern is.
type wildcard struct {
	steps  []step
	never  bool   // the pattern is broken: nothing matches
	text   string // the pattern, if nothing in it is special,
	suffix string // or what follows its only special sign, a * in front
}

type stepKind uint8

const (
	oneByte  stepKind = iota // a byte of the set
	anyName                  // bytes of the set, which has no slash, any number
	anyPath                  // any bytes, any number
	skipDirs                 // the next two steps, anyPath and a slash, or neither
)

type step struct {
	kind stepKind
	set  byteSet
}

// byteSet has a bit for each byte.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

func (s *byteSet) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

// inverted is the set of all other bytes but the slash.
func (s byteSet) inverted() byteSet {
	for i := range s {
		s[i] = ^s[i]
	}
	s['/'>>6] &^= 1 << ('/' & 63)
	return s
}

// newWildcard reads a pattern.
func newWildcard(p string) wildcard {
	var w wildcard
	if !strings.ContainsAny(p, `*?[\`) {
		w.text = p
	} else if p[0] == '*' && len(p) > 1 && !strings.ContainsAny(p[1:], `*?[\/`) {
		w.suffix = p[1:]
	}
	notSlash := byteSet{}.inverted()
	for i := 0; i < len(p); i++ {
		var one byteSet
		switch c := p[i]; c {
		case '\\':
			if i++; i == len(p) {
				return wildcard{never: true}
			}
			one.add(p[i])
		case '?':
			one = notSlash
		case '*':
			start := i
			for i+1 < len(p) && p[i+1] == '*' {
				i++
			}
			rest := p[i+1:]
			switch alone := start == 0 || p[start-1] == '/'; {
			case i == start || !alone || rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, `\/`):
				w.steps = append(w.steps, step{anyName, notSlash})
			case strings.HasPrefix(rest, "/"):
				w.steps = append(w.steps, step{kind: skipDirs}, step{kind: anyPath})
			default:
				w.steps = append(w.steps, step{kind: anyPath})
			}
			continue
		case '[':
			set, end := parseSet(p, i+1)
			if end < 0 {
				return wildcard{never: true}
			}
			one, i = set, end
		default:
			one.add(c)
		}
		w.steps = append(w.steps, step{oneByte, one})
	}
	return w
}

// parseSet reads what follows a [; end is at its ], -1 if there is none.
func parseSet(p string, i int) (set byteSet, end int) {
	inverted := i < len(p) && (p[i] == '!' || p[i] == '^')
	if inverted {
		i++
	}
	var last byte // the lower end of a range, if one follows; 0: none
	for first := true; ; first = false {
		if i >= len(p) {
			return set, -1
		}
		c := p[i]
		switch {
		case c == ']' && !first:
			if inverted {
				return set.inverted(), i
			}
			set['/'>>6] &^= 1 << ('/' & 63)
			return set, i
		case c == '\\':
			if i++; i >= len(p) {
				return set, -1
			}
			last = p[i]
			set.add(last)
		case c == '-' && last != 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				if i++; i >= len(p) {
					return set, -1
				}
			}
			set.addRange(last, p[i])
			last = 0
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			close := strings.IndexByte(p[i+2:], ']')
			if close < 0 {
				return set, -1
			}
			name := p[i+2 : i+2+close]
			if !strings.HasSuffix(name, ":") { // no class after all
				last = '['
				set.add('[')
				break
			}
			if !addClass(&set, strings.TrimSuffix(name, ":")) {
				return set, -1
			}
			i += 2 + close
			last = 0
		default:
			last = c
			set.add(c)
		}
		i++
	}
}

// addClass adds the ASCII characters of a class to a set. It returns false if there is
// no class of that name.
func addClass(set *byteSet, name string) bool {
	ranges := map[string]string{
		"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
		"print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
	}[name]
	for i := 0; i < len(ranges); i += 2 {
		set.addRange(ranges[i], ranges[i+1])
	}
	return ranges != ""
}

// match reports whether the whole path matches.
func (w *wildcard) match(path string) bool {
	switch {
	case w.never:
		return false
	case w.text != "":
		return path == w.text
	case w.suffix != "":
		return strings.HasSuffix(path, w.suffix) && strings.IndexByte(path[:len(path)-len(w.suffix)], '/') < 0
	}
	const usual = 64
	var space [2][usual + 1]bool
	now, next := space[0][:], space[1][:]
	if len(w.steps) > usual {
		now, next = make([]bool, len(w.steps)+1), make([]bool, len(w.steps)+1)
	}
	w.markReachable(now, 0)
	for i := 0; i < len(path); i++ {
		c, some := path[i], false
		for k := range w.steps {
			if !now[k] {
				continue
			}
			switch s := &w.steps[k]; {
			case s.kind == oneByte && s.set.has(c):
				w.markReachable(next, k+1)
				some = true
			case s.kind == anyPath, s.kind == anyName && s.set.has(c):
				w.markReachable(next, k)
				some = true
			}
		}
		if !some {
			return false
		}
		now, next = next, now
		clear(next)
	}
	return now[len(w.steps)]
}

// markReachable marks the step k, and those that may follow without a byte.
func (w *wildcard) markReachable(at []bool, k int) {
	for ; k <= len(w.steps) && !at[k]; k++ {
		at[k] = true
		if k == len(w.steps) || w.steps[k].kind == oneByte {
			return
		}
		if w.steps[k].kind == skipDirs {
			w.markReachable(at, k+3)
		}
	}
}
