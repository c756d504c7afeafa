// Package model holds the values that the Cupel pipeline works on: items and
// sets of items, budgets, policies, scenarios and reports.
//
// A Set and a Budget are validated when they are made, never change afterwards,
// and are safe for concurrent use. Policy, Labels, Check and Scenario are plain
// structs: check one with its method Validate, and do not change one that
// goroutines share.
//
// The package does no I/O and contains no algorithm of the pipeline. Package
// model/itemset reads and writes items and scenarios, package model/tokens
// counts tokens.
//
// Numbers of tokens have the type Tokens everywhere. An item is identified by its
// index in the Set that was loaded, never by its content: one index is an int, a list of
// them an []int32, which takes half the memory. Here, in pipeline and
// in simulate an item that the set does not have, and a nil pointer where the comment
// does not allow one, make a function panic, as an index out of range does.
package model
