// Package quality measures whether the items that get in are the items that
// were needed.
//
// The other packages say what a policy does, and their measure of it is the
// sum of the policy's own scores. Quality is measured by labels, which no
// scorer sees.
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
//	whole recall  the same of what is whole in I
//	complete      all of N is in I
//	answered      one item of I has one of the answers, as whole words
//	share needed  tokens of N in I / tokens of I
//
// An item that may be cut (not Cupel's) is in I in any size but its note;
// an answer is sought in the texts as they are sent, notes among them. A needed
// item that was dropped as a duplicate counts as in if the item kept in its
// place is in. A measure that does not apply, such as recall without labels, is
// not set. Means leave it out, and count the cases in which it is not set.
//
// Cases come from an iterator and are dropped once they are measured, so a
// collection may be larger than memory; only a few numbers for each case and
// policy are kept. Results depend only on the cases, the policies, the options
// and the seed, not on the number of processors or on a clock.
package quality
