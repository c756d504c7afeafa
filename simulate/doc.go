// Package simulate answers questions about many budgets exactly: which budgets
// let an item in, where the result changes, what is at risk, and how two
// results differ.
//
// A budget here is a value of maxTokens along an Axis: the template budget
// with maxTokens replaced, and with targetTokens at the same distance below
// it. Only the axis maps a budget to the effective target that a slicer fills.
// A slicer's profile knows nothing of reserves, slots and margins, so one
// profile answers for all of them.
//
// The search of the Cupel specification (FindMinBudgetFor) assumes that an
// item that is in stays in as the budget grows, which need not be so. A Profile
// knows every range of budgets at which an item is in.
package simulate
