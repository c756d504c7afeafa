package command

// Usage holds the texts that --help shows for a verb.
type Usage struct {
	Use      string
	Short    string
	Long     string // "": help shows Short instead
	Examples string // one command line per line
}

// ExploreUsage returns the usage of the program itself, and that of the verb
// explore, which does the same.
func ExploreUsage() (program, verb Usage) {
	return Usage{
			Use:   "cupelscope [source ...]",
			Short: "See what fits: explore which items an LLM context budget lets in",
			Long: "See what fits: explore which items an LLM context budget lets in, what falls out, why, and what it takes to get it back in.\n\n" +
				"A source is a conversation, a retrieval result, an item set or a scenario, a text file, a folder of them or a pattern ('docs/**/*.md'); " +
				"- is standard input. Several are read as one set. Without one the explorer opens a built-in scenario, and the other commands read standard input.",
			Examples: "cupelscope session.jsonl\n" +
				"cupelscope --fixture agent --max-tokens 32k --output-reserve 8k\n" +
				"cupelscope report session.jsonl -o json --no-content",
		}, Usage{
			Use:   "explore [source ...]",
			Short: "Explore on the screen (the default); prints the report where there is none",
		}
}

// ReportUsage returns the usage of the verb report.
func ReportUsage() Usage {
	return Usage{
		Use:   "report [source ...]",
		Short: "Run the pipeline once: what is in, what is out, and why",
		Examples: "cupelscope report session.jsonl --max-tokens 32k\n" +
			"cat items.json | cupelscope report - -o json",
	}
}

// MinBudgetUsage returns the usage of the verb min-budget.
func MinBudgetUsage() Usage {
	return Usage{
		Use:   "min-budget [source ...]",
		Short: "From which budget is an item in? Cupel's search, and the exact answer",
		Long: "From which budget is an item in? For every item, or those that --item names: the answer of Cupel's search (FindMinBudgetFor), " +
			"the exact least budget (first in), the least budget from which the item is never lost again up to the ceiling (stays), " +
			"the share of the budgets between those two at which it is in, and its number of ranges.\n\n" +
			"The search takes for granted that an item stays in once it is in, which is not so: with --only-differing see where that misleads. " +
			"Cupel refuses it for quota slicers; the exact numbers are there all the same.",
		Examples: "cupelscope min-budget session.jsonl --item '#12'\n" +
			"cupelscope min-budget --fixture agent --only-differing\n" +
			"cupelscope min-budget items.json --item kind:doc --ceiling 32k -o csv",
	}
}

// ProfileUsage returns the usage of the verb profile.
func ProfileUsage() Usage {
	return Usage{
		Use:   "profile [source ...]",
		Short: "At which budgets is an item in? All ranges, exactly",
		Long: "At which budgets is an item in? All ranges of budgets from 0 to the ceiling, both ends included. " +
			"The table says up to nine of them, and beyond that between which budgets they lie; JSON and CSV have all. CSV has a row for each range.",
		Examples: "cupelscope profile --fixture nonmonotone\n" +
			"cupelscope profile session.jsonl --item kind:tool -o json",
	}
}

// MarginalUsage returns the usage of the verb marginal.
func MarginalUsage() Usage {
	return Usage{
		Use:   "marginal [source ...]",
		Short: "What would leave, and what would come in, with --slack tokens less?",
		Long: "What is at risk? The items that are in and would be out with --slack tokens less (Cupel's GetMarginalItems), in placed order, " +
			"and the items that only the smaller budget lets in. Cupel refuses the question for percentage quotas; the answer is there all the same.",
		Examples: "cupelscope marginal session.jsonl --max-tokens 32k --slack 1k\n" +
			"cupelscope marginal --fixture agent -o json",
	}
}

// SweepUsage returns the usage of the verb sweep.
func SweepUsage() Usage {
	return Usage{
		Use:   "sweep [source ...]",
		Short: "What the result amounts to at every budget: items, tokens, value",
		Long: "What does the result amount to over budgets? A row for every budget at which the result changes, or every --step tokens: " +
			"room, items, tokens, the share of the room that is filled, value (the sum of scores), the best value that any selection could have, and how far below it the value is. " +
			"The column falls says whether items or value are less than in the row before. With --item a column says how many of those are in, " +
			"with --against there are columns for another policy. For a plot take -o csv.",
		Examples: "cupelscope sweep session.jsonl --step 1k -o csv > curve.csv\n" +
			"cupelscope sweep --fixture nonmonotone\n" +
			"cupelscope sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --against knapsack:1",
	}
}

// CompareUsage returns the usage of the verb compare.
func CompareUsage() Usage {
	return Usage{
		Use:   "compare A B [source ...]",
		Short: "How do two policies differ, over one source or many?",
		Long: "How often and by how much do two policies differ, and what is that worth? A and B are policies: own, that of each source, and own-b, the policyB of a scenario; a slicer (greedy, knapsack, knapsack:1, stream:8) " +
			"with all else as in that; a preset; or a file with a policy. One of them may be recorded: the result that a selection report of Cupel's holds.\n\n" +
			"A case is a source, or each line of one whose lines are scenarios, requests or retrieval results by themselves. Cases are looked at with the budget " +
			"of each, or with --at budgets, which are tokens or shares of all tokens of the case. Values are sums of scores, those of A for both. " +
			"What cannot be compared is counted, with a reason on standard error. CSV has a line for each case and budget. Memory is bounded however many there are.",
		Examples: "cupelscope compare greedy knapsack:1 --fixture coarse-knapsack\n" +
			"cupelscope compare greedy knapsack scenarios.jsonl session.jsonl --at 16k,32k,50%\n" +
			"cat scenarios.jsonl | cupelscope compare chat debugging - -o csv > cases.csv",
	}
}

// EvaluateUsage returns the usage of the verb evaluate.
func EvaluateUsage() Usage {
	return Usage{
		Use:   "evaluate [policy ...] [source ...]",
		Short: "Is what gets in what was needed? Recall of policies, over labelled cases",
		Long: "Is what gets in what was needed? For each budget and policy: the share of the needed items that is in (recall), the cases with all of them, " +
			"and beside it the value, which is the sum of a policy's own scores and knows no labels. The words before the sources that name policies are compared, as for compare; without any it is the one of the flags or of the cases. Each is tested against the first. " +
			"rank and prefix, which fill in the order of the scores, are added; they are ours and not Cupel's.\n\n" +
			"A case is a source, each line of one whose lines are scenarios, requests or retrieval results, or each question of one that holds several; of a folder of BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv) each query that is labelled. " +
			"The worst cases are named as --select takes them, with the command line that opens the worst in the explorer (in JSON, each). " +
			"Cases over the same conversation count as one in the test. What was needed is said by the source " +
			"(supporting_facts of HotpotQA, evidence of LoCoMo, isgold, has_answer, relevance of a document), or by --labels, whose labels of a case stand in place of those that its source has. " +
			"There a case goes by the id of its line or the name of its file, and an item by id, docid, _id or node_id in its metadata, by its source, or by its number, as in #12. " +
			"No scorer sees a label. JSON and CSV have shares from 0 to 1.",
		Examples: "cupelscope evaluate questions.jsonl --labels qrels.txt --at 100,50% --preset rag\n" +
			"cupelscope evaluate greedy knapsack:1 questions.jsonl --labels qrels.txt --at 100 --group id -o json",
	}
}

// TuneUsage returns the usage of the verb tune.
func TuneUsage() Usage {
	return Usage{
		Use:   "tune [source ...]",
		Short: "Is there a policy that lets more of what was needed in?",
		Long: "Is there a policy that lets more of what was needed in? Searches slicers, buckets, weights of the scorers, and power, a scorer of ours that sharpens scores under greedy: " +
			"first a grid, then around the best. Cases with their labels are those of evaluate; the policy to begin with is the one of the flags or of the cases.\n\n" +
			"What was chosen for some cases looks better on those than it is. So the cases are dealt into folds by group (a conversation, a source), each fold is measured under what was chosen without it, " +
			"and one paired test against the current policy decides: without a difference beyond chance no change is recommended. With less than 8 groups or 30 labelled cases there is nothing to tell, and tune refuses.\n\n" +
			"The file of --out says in its description how the policy was found, and whether it is recommended. Beside the best stands the best that Cupel can load, and --cupel-only searches only those. " +
			"Before it begins tune says how many policies it searches and how long that takes; ended early (Ctrl-C) it answers with the best until then, marked as such.",
		Examples: "cupelscope tune labelled.jsonl --at 30 --preset rag --out policy.json\n" +
			"cupelscope tune labelled.jsonl --at 50% --objective complete --slicer knapsack:1 --preset rag -o json\n" +
			"cupelscope tune labelled.jsonl --at 50% --minimise budget --wanted 90% --group id --cupel-only",
	}
}

// TurnsUsage returns the usage of the verb turns.
func TurnsUsage() Usage {
	return Usage{
		Use:   "turns [source ...]",
		Short: "What does a policy cost over a session, and what breaks the prompt cache?",
		Long: "What does a policy cost over a session? A window is chosen before every answer of the model. For each of these requests: what the policy would have sent, " +
			"how much of the prompt's prefix is that of the window before, what came in between, and what a prompt cache reads, writes and bills. " +
			"Below it the totals: the policy, another one (--policy-b), both with a window that is only cut when it is full (watermark, which is ours and not Cupel's), " +
			"the sliding window, and sending everything.\n\n" +
			"Several sources, or a file of several sessions, give totals over all of them; in CSV one source gives a line a request, several a line a session and policy. " +
			"The last request is now, with all items: it has not been sent, and is in no total. Costs are estimates: how long a cache lives and how far back it looks is not modelled.",
		Examples: "cupelscope turns session.jsonl --max-tokens 32k\n" +
			"cupelscope turns session.jsonl chat.json --at 50% --policy-b rag --cache openai -o json\n" +
			"cupelscope turns session.jsonl --keep-pairs --low 50% --sweep --price 3",
	}
}

// CheckUsage returns the usage of the verb check.
func CheckUsage() Usage {
	return Usage{
		Use:   "check [source ...]",
		Short: "Does the result hold what it must? For a build: exit code 1 if not",
		Long: "Does the result at the budget hold what it must? A line for each check: those of the scenario, then those of --checks, then those of the flags, " +
			"which may be repeated. Exit code 0: all hold; 1: one fails; 2: something is wrong with the checks, the source or the budget, or cannot be decided.\n\n" +
			"A selector is written as in the filter: '#12', kind:tool, 'tok>500', '\"a text\"'. One that names no item fails its check, but for --forbid. " +
			"--for belongs to the checks before it. --stable without --for is about the items that --require names, or without those about all that are in; " +
			"it looks at every budget down to SLACK below. --min-filled holds also where nothing is left out. " +
			"--max-below-best compares the value with the best that any selection could have in the same room. " +
			"--min-prefix and --max-cost-ratio are about all requests of a session, as turns tells them. --min-recall and --answered want labels: those of the source, or of --labels.\n\n" +
			"--record writes figures of the result to a file, and --against fails only where one is worse than there by more than --tolerance. With both the file moves on where all holds.",
		Examples: "cupelscope check session.jsonl --max-tokens 32k --require kind:message --stable 1k\n" +
			"cupelscope check --fixture agent --require is:pinned --stable 1k --min-filled 80 --no-split-pairs\n" +
			"cupelscope check --fixture agent --stays-by 32k --for kind:system --max-below-best 5\n" +
			"cupelscope check --fixture agent --record base.json\n" +
			"cupelscope check --fixture agent --against base.json --tolerance 2 --record base.json",
	}
}

// TokensUsage returns the usage of the verb tokens.
func TokensUsage() Usage {
	return Usage{
		Use:   "tokens [source ...]",
		Short: "How many tokens has each item, each kind, all, and how is that known?",
		Long: "How many tokens has each item, each kind, and all? Counts that the source gives are taken (given), texts without one are counted exactly (counted), " +
			"or estimated where the encoding of the model is not built in (estimated), and what is no text is guessed from its size (opaque). " +
			"With --compare there is a column for each encoding, in which every text is counted, also those whose count the source gives.\n\n" +
			"--verify counts every text again with tiktoken-go, which is slow, and names each difference; then the exit code is 1. " +
			"Texts with a run of more than 10,000 characters without a break are named as not verified: tiktoken-go takes minutes for them.",
		Examples: "cupelscope tokens session.jsonl\n" +
			"cupelscope tokens chat.json --by kind --compare all\n" +
			"cupelscope tokens chat.json --verify\n" +
			"cupelscope tokens chat.json --model gpt-4o --message-overhead 3 -o csv",
	}
}

// BatchUsage returns the usage of the verb batch.
func BatchUsage() Usage {
	return Usage{
		Use:   "batch [file|-]",
		Short: "Answer many scenarios: a line of JSON in, a line of JSON out",
		Long: "Answer many scenarios: JSON lines in, JSON lines out, one each, in the same order.\n\n" +
			"A line is a scenario with an id, which its answer carries (null if there is none), and a query: " +
			`{"op": "dryRun"}, which is the default, {"op": "marginal", "slackTokens": N}, ` +
			`{"op": "minBudget", "itemIndex": I, "searchCeiling": N, "bare": BOOL}, {"op": "profile", "ceiling": N}, {"op": "compare"}, for a line with a policyB, or {"op": "quality", "wanted": SHARE, "ceiling": N}, for one with labels or answers. ` +
			`A line that cannot be answered gets {"id", "error": {"code", "message"}} and stops nothing; the exit code is 0 all the same.` + "\n\n" +
			"Flags of budget and policy replace that field in every line, and give it to lines without; with --policy or --preset " +
			"lines need no policy, with --max-tokens no budget (where only --max-tokens is given, a line keeps the distance from its target to its maximum). " +
			"--slack is only for marginal queries that name no slackTokens. A file that lines name in itemsFile is looked for beside the batch.",
		Examples: "cupelscope batch scenarios.jsonl > answers.jsonl\n" +
			"cat scenarios.jsonl | cupelscope batch --preset rag --max-tokens 32k",
	}
}

// FixturesUsage returns the usage of the verb fixtures.
func FixturesUsage() Usage {
	return Usage{
		Use:      "fixtures",
		Short:    "List the scenarios that come with the program, for --fixture",
		Examples: "cupelscope fixtures",
	}
}

// PolicyUsage returns the usage of the verb policy.
func PolicyUsage() Usage {
	return Usage{
		Use:   "policy [source]",
		Short: "Print the policy in force as Cupel's JSON",
		Long: "Print the policy in force as Cupel's JSON, which --policy and Cupel's .NET library read: that of a scenario, a preset or a file, with what flags change. " +
			"With --budget the budget is printed in its place. Standard error names what the .NET library would not load, with the type that stands for it in code.",
		Examples: "cupelscope policy --preset rag --slicer knapsack:50 > policy.json\n" +
			"cupelscope policy --fixture agent\n" +
			"cupelscope policy --fixture agent --budget",
	}
}

// SchemaUsage returns the usage of the verb schema.
func SchemaUsage() Usage {
	return Usage{
		Use:      "schema VERB",
		Short:    "Print the JSON Schema of a command's answers in JSON",
		Examples: "cupelscope schema report",
	}
}
