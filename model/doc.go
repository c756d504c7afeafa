// Package model holds the values that the Cupel pipeline works on: items and
// sets of items, budgets, policies, scenarios and reports.
//
// Everything here is validated when it is made and never changes afterwards,
// so values may be shared between goroutines freely. The package does no I/O
// and contains no algorithm of the pipeline; readers and writers live in
// model/itemset, counting in model/tokens.
//
// Token numbers are of type Tokens everywhere. Items are identified by their
// index in the Set that was loaded, never by their content.
package model
