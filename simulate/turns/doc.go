// Package turns computes what a policy costs over a session. A context window
// is chosen not once but before every answer of the model, so two things
// matter that a single window does not show: which items come and go from
// request to request, and how much of the start of the prompt stays the same.
// The prompt caches of providers are billed by the latter.
//
// A History is a recorded conversation cut into requests. Windows chooses what
// each request carries under a Plan. History.Compare compares each window with
// those before it. A Cache prices the result.
//
//	History -> Requests -> Windows(plan, budget) -> Compare -> Bill -> Totals
//
// # The surviving prefix
//
// Two windows share the longest run of whole items from their start, in
// tokens:
//
//	window before   [system][ask][call 1][result 1]
//	window now      [system][ask][result 1][call 2][result 2]
//	shared          [system][ask]                    break: call 1 left
//
// The surviving prefix is the run that a window shares with the one before it,
// as a share of the tokens of the one before. The cache reads the longest
// prefix that a window shares with any earlier one.
//
// # Items that may be cut
//
// Where items have sizes (model.Size), Stateless and Watermark choose among them, and a window
// has an item in a size, or the note of one that is out. An item that is sent in another size
// than before breaks the prefix there, like one whose text changed. When Watermark is full it
// chooses the sizes of what it has anew; a note goes when it is full again. All, Sliding and
// the strategies of a Rule send whole items.
//
// # What agents do
//
// Where the strategies above choose by a policy and a budget, a Rule does what agents do
// when their window is full: clear old results, drop calls, or write a summary. ParsePlan
// reads one, Presets has those that others offer.
//
// # What is modelled
//
// Costs are estimates in input tokens: a token that is neither read from the
// cache nor written to it costs 1. The lifetime of a cached prefix, how far a
// provider looks back for one, and the framing of messages are not modelled; that a
// prefix was lost is taken from the record, where there is one.
package turns
