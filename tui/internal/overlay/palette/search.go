package palette

import (
	"slices"
	"strings"
)

// search is what a typed line finds.
type search struct {
	shown   []Command
	unknown string   // the typed words that the first of them does not have
	words   []string // of which no line may have all
}

// misses notes which of its words a line does not have.
func (s *search) misses(line []string) {
	s.unknown = strings.Join(slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return Match(w, line) >= begins }), " ")
}

// find lists what the typed line finds.
func (p *Palette) find() {
	switch line := strings.TrimSpace(p.Text()); {
	case p.guides():
		p.search = search{}
	case line == "":
		p.search = search{shown: p.source.First}
	default:
		p.search = p.searched(line)
	}
	p.SetLen(len(p.shown))
	p.Top()
}

// searched returns the commands that a line itself stands for, then those that match its words.
func (p *Palette) searched(line string) (s search) {
	line = reworded(line)
	words := wordsOf(line)
	if word, ok := strings.CutPrefix(line, "/"); ok && word != "" {
		words = wordsOf(word) // a search as in a pager
	}
	if len(words) == 0 { // no more than marks between words
		return search{shown: p.source.First}
	}
	found, matched := p.matching(words, false)
	if some := telling(words); matched < len(words) && len(some) > 0 {
		words = some
		found, matched = p.matching(words, true)
	}
	s.shown = p.source.Typed(line)
	if len(s.shown) == 0 {
		s.shown = p.source.Typed(strings.Join(telling(strings.Fields(line)), " "))
	}
	switch {
	case matched == len(words):
		if len(s.shown) > 0 && len(words) > 1 { // what matches by a part of a word is about something else
			if found, matched = p.matching(words, true); matched < len(words) {
				found = nil
			}
		}
		s.shown = slices.DeleteFunc(s.shown, func(c Command) bool { return c.Unread })
		if len(s.shown) > 0 && len(found) > 0 && s.shown[0].Group == legendGroup && p.source.Guide == nil && p.lines[found[0]].does(line) {
			s.shown = slices.Insert(s.shown, 0, p.source.All[found[0]])
		}
	case len(s.shown) > 0:
		return s // the line itself is a command, so similar ones do not help
	default:
		s.words = words
		about := telling(words)
		if len(found) > 0 {
			s.misses(p.lines[found[0]].all)
			about = []string{strings.Join(about, " ")} // it must have more of them
		}
		s.shown = p.source.Holding(about)
		found = slices.DeleteFunc(found, func(i int) bool { return p.lines[i].explains })
	}
	typed := s.shown
	for _, i := range found {
		c := p.source.All[i]
		if !slices.ContainsFunc(typed, func(first Command) bool { return first.Text == c.Text }) {
			s.shown = append(s.shown, c)
		}
	}
	if s.unknown != "" {
		s.shown = append(s.shown, p.source.Examples...)
	}
	s.orExamples(p.source.Examples)
	return s
}

// orExamples lists only examples where a typed line finds no line: enter types one.
func (s *search) orExamples(examples []Command) {
	if len(s.shown) == 0 {
		s.shown, s.unknown = slices.Clone(examples), ""
		s.shown[0].Title = "Not understood; try these"
	}
}

// does reports whether a line that explains a word gives way to a command: it does something now and
// shows the word, and no question was typed.
func (e entry) does(line string) bool {
	words := wordsOf(line)
	return !e.idle && !e.explains && len(telling(words)) == len(words) &&
		!slices.ContainsFunc(words, func(w string) bool { return Match(w, e.shown) < whole })
}
