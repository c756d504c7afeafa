// Package turns tells what a policy costs over a session. A context window is
// not chosen once but before every answer of the model, so two things count
// that a single window does not show: which items come and go from request to
// request, and how much of the prompt's start stays the same, which is what
// the prompt caches of providers are billed by.
//
// A Session is a recorded conversation cut into requests. Windows chooses what
// each request carries under a Plan. Compare sets each window against those
// before it. A Cache prices the result.
//
//	session -> Requests -> Windows(plan, budget) -> Compare -> Cache.Bill -> Totals
//
// # The surviving prefix
//
// Two windows share the longest run of whole items from their start, in tokens:
//
//	window before   [system][ask][call 1][result 1]
//	window now      [system][ask][result 1][call 2][result 2]
//	shared          [system][ask]                    break: call 1 left
//
// The surviving prefix is what a window shares with the one before it, as a
// share of that one's tokens. The cache reads the longest prefix that a window
// shares with any earlier one.
//
// # What is a model and not a measurement
//
// Costs are estimates in input tokens: a token that is neither read from the
// cache nor written to it costs 1. How long a cached prefix lives, how far a
// provider looks back for one, and what frames the messages are not modelled.
package turns
