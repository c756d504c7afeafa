// Package quality tells whether what gets in is what was needed.
//
// Everything else in this program says what a policy does; its value is the sum
// of its own scores. Quality is measured against labels, which no scorer sees.
//
//	Labels   what a case needed: graded items, and answers that must be there
//	Judge    labels joined with a ranking: which items count, and which answer
//	Measure  recall, complete, answered and share needed of one result
//	Curve    the same over every budget of an axis, exactly, from a profile
//	Evaluate several policies over many cases, at several budgets, with the best
//	         possible value beside them and a paired test against the first policy
//	Tune     the search for a better policy, judged on cases that it did not see
//
// The measures, with N the labelled items that are in the set and have a grade
// above 0, and I the items of the result:
//
//	recall        grades of N in I / grades of N; with grades of 1, |N in I| / |N|
//	complete      all of N is in I
//	answered      one item of I has one of the answers, as whole words
//	share needed  tokens of N in I / tokens of I
//
// A needed item that was dropped as a duplicate counts as in where its survivor
// is. A measure that does not apply, as recall without labels, is not set, is
// left out of means, and is counted.
//
// Cases are drawn from an iterator and dropped once they are measured, so a
// collection may be larger than memory; what is kept is a few numbers a case
// and policy. Results depend on cases, policies and seed, on nothing else: not on
// the number of processors, and on no clock.
package quality
