// Package model holds the values that the Cupel pipeline works on: items and
// sets of items, budgets, policies, scenarios and reports.
//
// A Set and a Budget are validated when they are made and never change
// afterwards. Policy, Labels, Check and Scenario are plain structs: Validate
// says what is wrong with one, and nobody changes one that is shared. So
// goroutines may share all of them.
//
// The package does no I/O and contains no algorithm of the pipeline; readers
// and writers are in model/itemset, counting is in model/tokens.
//
// Numbers of tokens have the type Tokens everywhere. An item is identified by
// its index in the Set that was loaded, never by its content.
package model
