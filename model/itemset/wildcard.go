package itemset

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A wildcard is a pattern for paths as git writes them in .gitignore:
//
//	?      any byte but a slash
//	*      any bytes but slashes
//	**/    at the start, or after a slash: any folders, also none
//	/**    at the end: everything within
//	[a-z]  one byte of a set, [!a-z] or [^a-z] one that is not; [[:alpha:]] by class
//	\x     x itself
//
// It becomes a regular expression, so that a match costs at most about the length of the
// pattern for each byte of the path, whatever the pattern is. Expressions know only
// characters: each byte of a pattern or path is the character of its number.
type wildcard struct {
	re     *regexp.Regexp // nil: the pattern is broken, and nothing matches
	text   string         // the pattern, if nothing in it is special,
	suffix string         // or what follows its only special sign, a * in front
}

// newWildcard reads a pattern.
func newWildcard(p string) (w wildcard) {
	if !strings.ContainsAny(p, `*?[\`) {
		w.text = p
	} else if p[0] == '*' && len(p) > 1 && !strings.ContainsAny(p[1:], `*?[\/`) {
		w.suffix = p[1:]
	}
	re := []byte(`^(?s:`)
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '?':
			re = append(re, `[^/]`...)
		case '*':
			start := i
			for i+1 < len(p) && p[i+1] == '*' {
				i++
			}
			rest := p[i+1:]
			switch alone := start == 0 || p[start-1] == '/'; {
			case i == start || !alone || rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, `\/`):
				re = append(re, `[^/]*`...)
			case strings.HasPrefix(rest, "/"):
				re = append(re, `(?:.*/)?`...)
				i++
			default:
				re = append(re, `.*`...)
			}
		case '[':
			set, end := parseSet(p, i+1)
			if end < 0 {
				return wildcard{}
			}
			re = append(re, `[\x{100}`...) // which no byte is, so that the set is never empty
			for b, in := range set {
				if in && b != '/' {
					re = fmt.Appendf(re, `\x{%x}`, b)
				}
			}
			re = append(re, ']')
			i = end
		case '\\':
			if i++; i == len(p) {
				return wildcard{}
			}
			c = p[i]
			fallthrough
		default:
			re = fmt.Appendf(re, `\x{%x}`, c)
		}
	}
	w.re, _ = regexp.Compile(string(re) + `)$`)
	return w
}

// byteSet says of each byte whether it is in a set.
type byteSet [256]bool

func (s *byteSet) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s[c] = true
	}
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
			for c := range set {
				set[c] = set[c] != inverted
			}
			return set, i
		case c == '\\':
			if i++; i >= len(p) {
				return set, -1
			}
			last = p[i]
			set[last] = true
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
				set['['] = true
				break
			}
			if !addClass(&set, strings.TrimSuffix(name, ":")) {
				return set, -1
			}
			i += 2 + close
			last = 0
		default:
			last = c
			set[c] = true
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
	case w.re == nil:
		return false
	case w.text != "":
		return path == w.text
	case w.suffix != "":
		return strings.HasSuffix(path, w.suffix) && strings.IndexByte(path[:len(path)-len(w.suffix)], '/') < 0
	}
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			bytes := make([]rune, len(path))
			for k := range bytes {
				bytes[k] = rune(path[k])
			}
			path = string(bytes)
			break
		}
	}
	return w.re.MatchString(path)
}
