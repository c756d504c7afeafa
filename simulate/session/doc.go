// Package session turns flags into what the screen and the verbs work on:
// sources and options become a loaded set, a budget, a policy and token counts,
// and Reproduce turns these into a command line again. The screen and the verbs
// both start here, so that they share their defaults.
package session
