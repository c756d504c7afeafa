// Package simulate answers questions over many budgets, exactly: which budgets
// let an item in, where the result changes, what is at risk, and how two
// results differ.
//
// A budget here is a number of maxTokens along an Axis: the template budget
// with maxTokens moved and the target moving along. The axis alone maps it to
// the effective target that a slicer fills, so one profile of the slicer, which
// knows nothing of reserves, slots and margins, answers for all of them.
//
// The search of the Cupel specification (FindMinBudgetFor) assumes that an item
// once in stays in as the budget grows. It does not: see Profile, which gives
// every range of budgets at which an item is in.
package simulate
