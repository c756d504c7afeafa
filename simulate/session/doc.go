// Package session turns flags into what is explored or asked: sources and
// options become a loaded set, a budget, a policy and token counts, and these
// again the command line that reproduces them. The screen and the verbs begin
// here, so that both choose alike what was not asked for.
package session
