// Package sessions finds the sessions that coding agents keep on this machine. It reads
// the names and sizes of files and, of each session that is looked at, its first rows. It
// writes nothing.
//
// A row of the table agents says where an agent keeps its sessions, and how one tells its
// project and its first request.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
)

// Places say where to look. With the zero value nothing is found.
type Places struct {
	Home   string              // the home folder; "": no agent has one
	Folder string              // the folder whose project is meant; "": none
	Env    func(string) string // the value of an environment variable; nil: none is set
}

// OfThisMachine returns the places of the user who runs the program. What cannot be known
// is left out.
func OfThisMachine() Places {
	home, _ := os.UserHomeDir() // "" with an error, as the folder
	folder, _ := os.Getwd()
	return Places{Home: home, Folder: folder, Env: os.Getenv}
}

// Session is a session of an agent: a file. Find sets Agent, Path, Bytes, Changed and
// Look the others.
type Session struct {
	Agent   string
	Path    string
	Bytes   int64
	Changed time.Time

	Project string // the folder in which the agent ran, or what its files call it; "": it is not known
	Request string // the first request of the user, as it stands in the file, up to maxRequest bytes; "": none was found
	Here    bool   // it is about the project of Places.Folder
	Err     error  // why the file could not be read

	agent *agent
}

// Running reports whether the session grew within the minute before now.
func (s *Session) Running(now time.Time) bool { return now.Sub(s.Changed) < time.Minute }

// Found are the sessions of a machine.
type Found struct {
	Sessions []Session // newest first, equal times by path
	Errors   []error   // of folders that could not be read
	root     string
}

// Find lists the sessions in the places without reading any: it looks only at names, sizes and
// times. The error is ctx's.
func Find(ctx context.Context, in Places) (*Found, error) {
	f := &Found{root: projectFolder(in.Folder, in.Home)}
	for k := range agents {
		a := &agents[k]
		for _, base := range a.folders(in, f.root) {
			for _, pattern := range a.patterns {
				if err := f.walk(ctx, a, base, strings.Split(pattern, "/"), false); err != nil {
					return nil, err
				}
			}
		}
	}
	sort.Slice(f.Sessions, func(i, j int) bool {
		a, b := &f.Sessions[i], &f.Sessions[j]
		return cmp.Or(b.Changed.Compare(a.Changed), strings.Compare(a.Path, b.Path)) < 0
	})
	return f, nil
}

// folders are the bases of an agent in the places.
func (a *agent) folders(in Places, root string) []string {
	if a.inFolder {
		if root == "" {
			return nil
		}
		return []string{root}
	}
	for _, name := range a.variables {
		if in.Env != nil && in.Env(name) != "" {
			return []string{in.Env(name)}
		}
	}
	if in.Home == "" {
		return nil
	}
	return plain.Texts(a.bases, func(base string) string { return filepath.Join(in.Home, filepath.FromSlash(base)) })
}

// walk adds the files below a folder that the parts of a pattern lead to. matchedAny reports
// that a wildcard matched the folder. Links are followed: the pattern bounds how far.
func (f *Found) walk(ctx context.Context, a *agent, folder string, parts []string, matchedAny bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for len(parts) > 1 && !strings.ContainsAny(parts[0], "*?[") {
		folder, parts = filepath.Join(folder, parts[0]), parts[1:]
	}
	if len(parts) == 1 && !strings.ContainsAny(parts[0], "*?[") {
		f.add(a, filepath.Join(folder, parts[0]), nil)
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		// A folder that a wildcard matched may not belong to the agent.
		if _, unseen := os.Lstat(folder); unseen == nil || !matchedAny {
			f.Errors = append(f.Errors, err)
		}
	}
	for _, e := range entries { // those before an error too
		matched, err := path.Match(parts[0], e.Name())
		if err != nil || !matched {
			continue
		}
		at := filepath.Join(folder, e.Name())
		switch {
		case len(parts) == 1:
			f.add(a, at, e)
		case e.IsDir() || e.Type()&fs.ModeSymlink != 0:
			if err := f.walk(ctx, a, at, parts[1:], true); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a file. What is no regular file, or was removed in the meantime, is no session.
func (f *Found) add(a *agent, at string, e fs.DirEntry) {
	var info fs.FileInfo
	var err error
	if e == nil || e.Type()&fs.ModeSymlink != 0 {
		info, err = os.Stat(at)
	} else {
		info, err = e.Info()
	}
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		f.Sessions = append(f.Sessions, Session{Agent: a.name, Path: at, Bytes: info.Size(), Changed: info.ModTime(), agent: a})
	}
}

// Agents returns the names of the agents whose sessions are known.
func Agents() []string {
	var names []string
	for _, a := range agents {
		if !slices.Contains(names, a.name) {
			names = append(names, a.name)
		}
	}
	return names
}

// maxRequest is the most bytes of a first request that are kept.
const maxRequest = 1000

// Look reads the first rows of the sessions with from <= index < to, on all cores. It
// stops when ctx ends.
func (f *Found) Look(ctx context.Context, from, to int) {
	var each sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), to-from)
	for w := range workers {
		each.Go(func() {
			var r reader
			for i := from + w; i < to && ctx.Err() == nil; i += workers {
				f.Sessions[i].look(f.root, &r)
			}
		})
	}
	each.Wait()
}

// Here counts the sessions of the project among those that were looked at.
func (f *Found) Here() int {
	n := 0
	for i := range f.Sessions {
		if f.Sessions[i].Here {
			n++
		}
	}
	return n
}

// Newest returns the newest session of the project, and whether there is one; with growing
// the newest of those that an itemset.Tail can follow. It reads no more sessions than it has
// to.
func (f *Found) Newest(ctx context.Context, growing bool) (Session, bool) {
	var r reader
	for i := range f.Sessions {
		if ctx.Err() != nil {
			break
		}
		s := &f.Sessions[i]
		s.look(f.root, &r)
		if s.Here && s.Err == nil && (!growing || s.grows(ctx)) {
			return *s, true
		}
	}
	return Session{}, false
}

// grows reports whether the file of a session grows by rows at its end.
func (s *Session) grows(ctx context.Context) bool {
	_, err := itemset.NewTail(s.Path, 0).Poll(ctx)
	_, not := errors.AsType[*itemset.NotGrowingError](err)
	return !not
}

func (s *Session) look(root string, with *reader) {
	s.Err = with.read(s.Path, s.take)
	if s.agent.inFolder {
		s.Project = root
	}
	s.Here = root != "" && (within(s.Project, root) || s.agent.here != nil && s.agent.here(s.Path, root))
}

// take reads the rows in the beginning of a session, and reports whether they say all.
func (s *Session) take(head []byte) bool {
	if s.agent.heading != "" {
		s.Request = limited(underHeading(head, s.agent.heading))
		return s.Request != ""
	}
	if s.Project == "" {
		s.Project = s.agent.project(s, nil)
	}
	for row := range rows(head) {
		if s.Project == "" {
			s.Project = limited(s.agent.project(s, row))
		}
		if s.Request == "" {
			s.Request = limited(s.agent.request(row))
		}
		if s.Project != "" && s.Request != "" {
			break
		}
	}
	return s.Request != ""
}

// limited returns the first maxRequest bytes of a text, in memory of its own.
func limited(text string) string {
	return strings.ToValidUTF8(strings.Clone(text[:min(len(text), maxRequest)]), "")
}

// within reports whether a path is the folder root or lies in it.
func within(at, root string) bool {
	rel, err := filepath.Rel(root, at)
	return at != "" && err == nil && filepath.IsLocal(rel)
}

// projectFolder returns the folder of the project that a folder is part of: the nearest
// above it that git keeps, below the home folder, or the folder itself.
func projectFolder(folder, home string) string {
	for at := folder; at != "" && at != home; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return folder
}
