package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
)

// writeSessions writes the sessions of coding agents in the places, the newest first, and says
// on Err which folders could not be read.
func writeSessions(ctx context.Context, in sessions.Places, a answerOptions, s Streams) error {
	found, err := sessions.Find(ctx, in)
	if err != nil {
		return err
	}
	found.Look(ctx, 0, len(found.Sessions))
	for _, err := range found.Errors {
		s.say("not read: %v", err)
	}
	sheet := sessionSheet(found.Sessions, s.now())
	sheet.Title = "there are no sessions of coding agents here"
	if n := len(found.Sessions); n > 0 {
		sheet.Title = fmt.Sprintf("%s, the newest first; %s of this folder's project", plain.Count(n, "session"), plain.Thousands(found.Here()))
	}
	return s.write(ctx, a.Output, sheet)
}

// newestSession returns the file of the newest session of the project in the places; to
// follow it, the newest that grows.
func newestSession(ctx context.Context, in sessions.Places, follow bool) (string, error) {
	found, err := sessions.Find(ctx, in)
	if err != nil {
		return "", err
	}
	newest, ok := found.Newest(ctx, follow)
	if _, some := found.Newest(ctx, false); !ok && some {
		return "", errors.New("--last --follow: no session of this folder's project grows by rows at its end; --last alone opens the newest")
	}
	if !ok {
		return "", errors.New("--last: there is no session of this folder's project; the command sessions lists those of all projects")
	}
	return newest.Path, nil
}

func sessionSheet(all []sessions.Session, now time.Time) *export.Sheet {
	text := func(s string, limit int) export.Cell { return export.Text(s, limit).If(s != "") }
	return export.SheetOf(export.Sheet{Name: "sessions", Facts: []export.Fact{export.SchemaFact("sessions")}}, []export.Column[sessions.Session]{
		{Name: "agent", Heading: "agent", Cell: func(s sessions.Session) export.Cell { return export.Word(s.Agent) }},
		{Name: "project", Heading: "project", Flows: 12, Cell: func(s sessions.Session) export.Cell { return export.Path(s.Project, 40).If(s.Project != "") }},
		{Name: "here", Cell: func(s sessions.Session) export.Cell { return export.Truth(s.Here) }},
		{Name: "firstRequest", Heading: "first request", Flows: 20, Cell: func(s sessions.Session) export.Cell { return text(s.Request, 60) }},
		{Name: "bytes", Heading: "size", Right: true, Cell: func(s sessions.Session) export.Cell {
			return export.Tokens(model.Tokens(s.Bytes)).But(plain.Bytes(s.Bytes))
		}},
		{Name: "changed", Cell: func(s sessions.Session) export.Cell { return when(model.Some(s.Changed)) }},
		{Heading: "age", Right: true, Cell: func(s sessions.Session) export.Cell { return export.Word(plain.Age(now.Sub(s.Changed))) }},
		{Name: "file", Heading: "file", Flows: 20, Spare: true, Cell: func(s sessions.Session) export.Cell { return export.Path(s.Path, 120) }},
	}, slices.Values(all))
}
