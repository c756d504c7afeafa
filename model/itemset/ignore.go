package itemset

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The rules of git for ignored files: .gitignore files from the top of the repository
// down, and .git/info/exclude. A file deeper down overrides one above it, and within a
// file the last rule that matches decides. A file in an ignored folder is ignored,
// whatever the rules say about it. The user's own git configuration is not read.

type ignoreFile struct {
	folder string // from the top, with slashes; "" is the top
	rules  []ignoreRule
}

type ignoreRule struct {
	prefix   string   // what an anchored path begins with, and
	pattern  wildcard // what follows
	keeps    bool     // began with !
	folders  bool     // ended in /: only folders
	anchored bool     // has a slash: matches the path, not only the name
}

const (
	maxIgnoreBytes = 1 << 20 // of one .gitignore; what follows is not read
	maxRuleBytes   = 4096    // as long as paths get
)

func parseIgnore(text []byte) []ignoreRule {
	var rules []ignoreRule
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(text) {
		if cut, ok := bytes.CutSuffix(line, []byte("\n")); ok {
			line = bytes.TrimSuffix(cut, []byte("\r"))
		}
		if rule, ok := parseRule(string(line)); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseRule(line string) (r ignoreRule, ok bool) {
	if len(line) > maxRuleBytes || strings.HasPrefix(line, "#") {
		return r, false
	}
	line = trimSpaces(line)
	if r.keeps = strings.HasPrefix(line, "!"); r.keeps {
		line = line[1:]
	}
	if r.folders = strings.HasSuffix(line, "/"); r.folders {
		line = line[:len(line)-1]
	}
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	if r.anchored {
		// As git does it: behind the plain beginning a pattern begins anew, so
		// that the ** of a**/b matches folders, also none.
		plain := strings.IndexAny(line, `*?[\`)
		if plain < 0 {
			plain = len(line)
		}
		r.prefix, line = line[:plain], line[plain:]
	}
	r.pattern = newWildcard(line)
	return r, r.pattern.re != nil
}

// trimSpaces cuts the spaces at the end, but for one after a backslash.
func trimSpaces(s string) string {
	end := 0 // behind the last byte that is no such space
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == ' ' {
			continue
		}
		end = min(i+1, len(s))
	}
	return s[:end]
}

// ignores are the files that apply to a folder, the topmost first.
type ignores []ignoreFile

// ignored reports whether a path relative to the top is ignored. None of the folders
// in the path may be ignored.
func (all ignores) ignored(path string, folder bool) bool {
	for k := len(all) - 1; k >= 0; k-- {
		file := &all[k]
		within := path
		if file.folder != "" {
			within = path[len(file.folder)+1:] // files hold for what is below them only
		}
		name := within[strings.LastIndexByte(within, '/')+1:]
		for i := len(file.rules) - 1; i >= 0; i-- {
			rule := &file.rules[i]
			if rule.folders && !folder {
				continue
			}
			rest, ok := name, true
			if rule.anchored {
				rest, ok = strings.CutPrefix(within, rule.prefix)
			}
			if ok && rule.pattern.match(rest) {
				return !rule.keeps
			}
		}
	}
	return false
}

// with returns all with the .gitignore of a folder appended, if it has one that holds
// rules. path is the path of the folder, and folder its path relative to the top.
func (all ignores) with(path, folder string) ignores {
	return all.file(filepath.Join(path, ".gitignore"), folder)
}

func (all ignores) file(name, folder string) ignores {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return all
	}
	f, err := openRegular(name)
	if err != nil {
		return all
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
	if rules := parseIgnore(text); err == nil && len(rules) > 0 {
		return append(all[:len(all):len(all)], ignoreFile{folder, rules})
	}
	return all
}

// above returns the rules that apply to a folder from above it, and its path relative
// to the top of its repository, which is "" if it is in none.
func above(folder string) (all ignores, name string) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return nil, ""
	}
	top := path
	for {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		if filepath.Dir(top) == top {
			return nil, ""
		}
		top = filepath.Dir(top)
	}
	all = all.file(filepath.Join(top, ".git", "info", "exclude"), "")
	rel, err := filepath.Rel(top, path)
	if err != nil || rel == "." {
		return all, ""
	}
	name = filepath.ToSlash(rel)
	all = all.with(top, "")
	for at, c := range name {
		if c == '/' {
			all = all.with(filepath.Join(top, filepath.FromSlash(name[:at])), name[:at])
		}
	}
	return all, name
}
