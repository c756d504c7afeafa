// Package session turns command line flags into what the screen and the verbs
// work on: a loaded set, a budget, a policy and token counts.
// Options.Reproduce turns these into a command line again. The screen and the
// verbs both start here, so they share their defaults.
//
// Cases reads the sources case by case instead, and Labelled joins each case with
// its labels. Options.Select names one of those cases, and Labelled.Opener returns
// the command line that opens it.
//
// It is no part of the library: the explorer uses it too.
package session
