package itemset

import (
	"fmt"
	"regexp"
	"strings"
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
// characters: each byte of a pattern or path is the character of its number, but a slash is
// one that is no byte, so that no set matches it.
type wildcard struct {
	re     *regexp.Regexp // nil: the pattern is broken, and nothing matches
	text   string         // the pattern, if nothing in it is special,
	suffix string         // or what follows its only special sign, a * in front
}

const slash = '\u0100'

func newWildcard(p string) (w wildcard) {
	if !strings.ContainsAny(p, `*?[\`) {
		w.text = p
	} else if p[0] == '*' && len(p) > 1 && !strings.ContainsAny(p[1:], `*?[\/`) {
		w.suffix = p[1:]
	}
	re := "^(?s:"
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '?':
			re += "[^\u0100]"
		case '*':
			start := i
			for i+1 < len(p) && p[i+1] == '*' {
				i++
			}
			rest := p[i+1:]
			switch alone := start == 0 || p[start-1] == '/'; {
			case i == start || !alone || rest != "" && rest[0] != '/' && !strings.HasPrefix(rest, `\/`):
				re += "[^\u0100]*"
			case strings.HasPrefix(rest, "/"):
				re += "(?:.*\u0100)?"
				i++
			default:
				re += ".*"
			}
		case '[':
			set, end := setOf(p, i+1)
			if end < 0 {
				return wildcard{}
			}
			re, i = re+set, end
		case '\\':
			if i++; i == len(p) {
				return wildcard{}
			}
			c = p[i]
			fallthrough
		default:
			re += literal(c)
		}
	}
	w.re, _ = regexp.Compile(re + ")$")
	return w
}

// literal returns a byte of a pattern as an expression.
func literal(c byte) string {
	if c == '/' {
		return string(slash)
	}
	return fmt.Sprintf(`\x{%x}`, c)
}

// setOf returns as an expression the set that follows a [, and where its ] is, -1 if there
// is none. Of a class that is not known no expression can be compiled.
func setOf(p string, i int) (set string, end int) {
	set = "["
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		set, i = "[^\u0100", i+1
	}
	next := func() (c byte) { // what stands at i, and i moves on
		if p[i] == '\\' {
			i++
		}
		if i < len(p) {
			c = p[i]
		}
		i++
		return c
	}
	for first := i; i < len(p); {
		name, _, closed := strings.Cut(p[i+1:], "]")
		switch isClass := p[i] == '[' && strings.HasPrefix(name, ":"); {
		case p[i] == ']' && i > first:
			return set + "]", i
		case isClass && !closed:
			return "", -1
		case isClass && strings.HasSuffix(name[1:], ":"):
			set += "[" + name + "]"
			i += len("[" + name + "]")
			continue
		}
		from := next()
		to := from
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			i++
			to = next()
		}
		set += fmt.Sprintf(`\x{%x}-\x{%x}`, from, max(from, to))
	}
	return "", -1
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
	all := make([]rune, len(path))
	for i := range all {
		all[i] = rune(path[i])
		if path[i] == '/' {
			all[i] = slash
		}
	}
	return w.re.MatchString(string(all))
}
