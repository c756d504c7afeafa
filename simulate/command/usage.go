package command

import (
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/plain"
)

// usage holds the texts that --help shows for a verb.
type usage struct {
	Use      string
	Short    string
	Long     string // "": help shows Short instead
	Examples string // one command line per line
}

// What --help shows: for the program itself, for the verb explore, which does the same, and for
// the other verbs.
var (
	programUsage = usage{
		Use:   "cupelscope [source ...]",
		Short: "See which items fit into an LLM context budget",
		Long: "cupelscope shows which items fit into an LLM context budget, which fall out and why, and what it takes to bring an item back.\n\n" +
			"A source is a conversation, retrieval results, an item set, a scenario, a text file, a folder, or a pattern such as 'docs/**/*.md'; " +
			"- is standard input. Several sources are read as one set, and each must be readable. " +
			"A file whose name begins with a dash is named as ./-x, or after --. " +
			"Percentages are written 80 or 80%; below 1 the sign is required, as in 0.5%. " +
			"Without a source the explorer opens a built-in scenario, and the other commands read standard input.",
		Examples: "cupelscope session.jsonl\n" +
			"cupelscope --fixture agent --max-tokens 32k --output-reserve 8k\n" +
			"cupelscope report session.jsonl -o json --no-content",
	}

	exploreUsage = usage{
		Use:   "explore [source ...]",
		Short: "Open the explorer (the default); without a terminal, print the report",
	}

	reportUsage = usage{
		Use:   "report [source ...]",
		Short: "Run the pipeline once: what is in, what is out, and why",
		Examples: "cupelscope report session.jsonl --max-tokens 32k\n" +
			"cat items.json | cupelscope report - -o json\n" +
			"cupelscope report --fixture agent --html agent.html",
	}

	minBudgetUsage = usage{
		Use:   "min-budget [source ...]",
		Short: "From which budget on is an item in? By Cupel's search, and exactly",
		Long: "From which budget on is an item in? " +
			"Prints for every item, or for those of --item: the answer of Cupel's search, FindMinBudgetFor (binary search); the smallest budget at which it is in (first in), and for how many tokens it stays in (for); the budget from which it is never lost up to the ceiling (" + plain.StaysFrom + "); at what share of the budgets between these two it is in (between); and how many ranges of budgets it is in.\n\n" +
			"Cupel's search assumes that an item stays in once it is in, which is not always true: --only-differing lists the items for which it is wrong. " +
			"Under quotas Cupel refuses the search; the exact numbers are printed anyway.",
		Examples: "cupelscope min-budget session.jsonl --item '#12'\n" +
			"cupelscope min-budget --fixture agent --only-differing\n" +
			"cupelscope min-budget items.json --item kind:doc --ceiling 32k -o csv",
	}

	profileUsage = usage{
		Use:   "profile [source ...]",
		Short: "At which budgets is an item in? All ranges, exactly",
		Long: "At which budgets is an item in? Prints all ranges of budgets from 0 to the ceiling, both ends included. " +
			"The table lists up to nine ranges of an item, else only the first and the last budget; JSON and CSV have all, CSV a row per range. With --over the ranges are of another number than the budget, as in sweep.",
		Examples: "cupelscope profile --fixture nonmonotone\n" +
			"cupelscope profile session.jsonl --item kind:tool -o json\n" +
			"cupelscope profile --fixture agent --over weight:recency --item '#32'",
	}

	marginalUsage = usage{
		Use:   "marginal [source ...]",
		Short: "Which items leave, and which come in, with a little less budget?",
		Long: "Which items are " + plain.AtRisk + "? " +
			"Prints the items that are in and would be out with --slack tokens less (Cupel's GetMarginalItems), in placed order, and the items that only the smaller budget lets in. " +
			"Under percentage quotas Cupel refuses the question; here it is answered anyway.",
		Examples: "cupelscope marginal session.jsonl --max-tokens 32k --slack 1k\n" +
			"cupelscope marginal --fixture agent -o json",
	}

	sweepUsage = usage{
		Use:   "sweep [source ...]",
		Short: "How the result changes with the budget: items, tokens, value",
		Long: "How does the result change with the budget? " +
			"Prints one row for every budget at which the result changes, or for every --step tokens: room, items, tokens, the share of the room that is filled, the value (sum of scores), the best value that any selection could have, and how far below it the value is. " +
			"The column falls marks rows with fewer items or less value than the row before. --item adds a column that counts how many of those items are in; " +
			"--policy-b adds columns for another policy. For a plot use -o csv.\n\n" +
			"With --over another number varies in place of the budget, in steps of a thousandth of a weight or a tenth of a percent: a row is a range of values with the same result.",
		Examples: "cupelscope sweep session.jsonl --step 1k -o csv > curve.csv\n" +
			"cupelscope sweep --fixture nonmonotone\n" +
			"cupelscope sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --policy-b knapsack:1\n" +
			"cupelscope sweep --fixture agent --over weight:recency",
	}

	compareUsage = usage{
		Use:   "compare A B [source ...]",
		Short: "How do two policies differ, over one source or many?",
		Long: "How often do two policies differ, by how much, and what is the difference worth? " +
			"A and B are policies: own, the policy of each source; own-b, the policyB of a scenario; a slicer (greedy, knapsack, knapsack:1, stream:8) with everything else as in own; a preset; or a file with a policy. " +
			"One of them may be recorded: the result that a selection report of Cupel holds.\n\n" +
			"A case is a source, or each line of a source whose lines are scenarios, requests or retrieval results. " +
			"Each case is compared at its own budget, or at the budgets of --at, which are tokens or shares of all tokens of the case. Values are sums of scores; " +
			"A's scores are used for both. Cases that cannot be compared are counted, and standard error says why. CSV has one line per case and budget.",
		Examples: "cupelscope compare greedy knapsack:1 --fixture coarse-knapsack\n" +
			"cupelscope compare greedy knapsack scenarios.jsonl session.jsonl --at 16k,32k,50%\n" +
			"cat scenarios.jsonl | cupelscope compare chat debugging - -o csv > cases.csv",
	}

	evaluateUsage = usage{
		Use:   "evaluate [policy ...] [source ...]",
		Short: "Does a policy let in what was needed? Recall over labelled cases",
		Long: "Does a policy let in what was needed? " +
			"Prints for each budget and policy: the share of the needed items that is in (recall), the share of cases with all of them (complete), and the value, which is the sum of the policy's own scores. " +
			"Policies stand before the sources, as for compare; without any, that of the flags or of the cases is evaluated. " +
			"Each is tested against the first. " +
			"The slicers rank and prefix, which are not Cupel's, are always added.\n\n" +
			"A case is a source, each line of a source whose lines are scenarios, requests or retrieval results, or each question of a source that holds several. " +
			"In a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv) each labelled query is a case. " +
			"Cases over the same conversation count as one in the test.\n\n" +
			"Labels come from the source or from --labels, which replaces those of the cases that it names: " +
			"a case by the id of its line or by its file, an item by the id in its metadata, by its source, or by its number, as in #12. " +
			"No scorer sees a label. " +
			"The worst cases are listed as --select takes them, with the command line that opens the worst one in the explorer (in JSON, each of them).",
		Examples: "cupelscope evaluate questions.jsonl --labels qrels.txt --at 100,50% --preset rag\n" +
			"cupelscope evaluate greedy knapsack:1 questions.jsonl --labels qrels.txt --at 100 --group id -o json",
	}

	tuneUsage = usage{
		Use:   "tune [source ...]",
		Short: "Is there a policy that lets in more of what was needed?",
		Long: "Is there a policy that lets in more of what was needed? " +
			"Searches slicers, buckets, weights of the scorers, and power, a scorer that is not Cupel's and sharpens scores under greedy: first a grid, then the neighbours of the best, from the policy of the flags or of the cases on. " +
			"Cases and labels are read as by evaluate.\n\n" +
			"A policy looks better than it is on the cases it was chosen for. " +
			"So the cases are split into folds by group (a conversation, a source), and each fold is measured under the policy chosen without it. " +
			"A paired test against the current policy decides whether the change is recommended. " +
			"Fewer than 8 groups or 30 labelled cases are refused: no difference could be told from chance.\n\n" +
			"The description in the FILE of --out says how the policy was found, and whether it is recommended. " +
			"The answer also has the current policy under rank and prefix, and the best policy that Cupel can load (--cupel-only searches no other). " +
			"Ctrl-C ends it with the best policy so far, marked as such. " +
			"In the explorer, tune in the palette (:) does the same for the source that is open.",
		Examples: "cupelscope tune labelled.jsonl --at 30 --preset rag --out policy.json\n" +
			"cupelscope tune labelled.jsonl --at 50% --objective complete --slicer knapsack:1 --preset rag -o json\n" +
			"cupelscope tune labelled.jsonl --at 50% --minimise budget --wanted 90% --group id --cupel-only",
	}

	turnsUsage = usage{
		Use:   "turns [source ...]",
		Short: "What does a policy cost over a session, and what breaks the prompt cache?",
		Long: "What does a policy cost over a session? " +
			"Prints for each request what the policy would send, how much of the previous prompt a cache can reuse (kept), what breaks that, and what is read, written and billed. " +
			"Then come the totals: of the policy, of another one (--policy-b), of both with a window that is cut only when it is full (watermark, not Cupel's), of a sliding window, and of sending everything.\n\n" +
			"Several sources or sessions give totals over all of them. Sessions that cannot be used are left out, and standard error says why. " +
			"CSV has a line for each request of one source, or for each session and policy of several. " +
			"The last row, now, has all items: it is not sent yet, and in no total. " +
			"Costs are estimates: how long a cache lives and how far back it looks are not modelled; where the source recorded that it was lost, that is used.\n\n" +
			"--plan says what an agent does when its window is full: clear replaces all but the newest results by notes; drop removes calls and results before the newest messages; summarise replaces what comes before the newest tokens by one summary, which takes a request of its own. " +
			"Pinned items are never touched, and a call and its result stay together. " +
			"--map prints what a plan costs at each pair of values of two keys, and the cheapest pair that always fits. The keys, with their defaults for clear, drop and summarise:\n\n" +
			"- trigger: the tokens, fixed part included, above which a window is full (100k, 0, max-16384: so much below the budget)\n" +
			"- keep: how many of the newest results (clear) or messages stay (3, 2, 0)\n" +
			"- keep-tokens: how many tokens of the newest results (summarise: items) stay (0, 0, 20k)\n" +
			"- at-least: the tokens that must be freed, else nothing is done (0)\n" +
			"- note, summary: the tokens of a note (10), of a summary (2k)\n" +
			"- each: time, so that every request starts anew from the whole history, or once, so that what is done stays done (time, time, once)\n" +
			"- exclude: tools and kinds that are not touched, as in read+bash (none)",
		Examples: "cupelscope turns session.jsonl --max-tokens 32k\n" +
			"cupelscope turns session.jsonl --plan anthropic-clear --plan clear:trigger=30k,keep=3,at-least=20k,each=once\n" +
			"cupelscope turns *.jsonl --plan clear:each=once --map trigger,at-least\n" +
			"cupelscope turns session.jsonl chat.json --at 50% --policy-b rag --cache openai -o json\n" +
			"cupelscope turns session.jsonl --keep-pairs --low 50% --sweep --price 3",
	}

	checkUsage = usage{
		Use:   "check [source ...]",
		Short: "Does the result hold what it must? For a build: exit code 1 if not",
		Long: "Does the result at the budget hold what it must? " +
			"Prints one line per check: of the scenario, of --checks, then of the flags, which may be repeated. " +
			"Exit code 0: all hold. 1: one fails. 2: something cannot be used, or a check cannot be decided.\n\n" +
			`A selector is written as in the filter: '#12', kind:tool, 'tok>500', '"a text"'; a word that names a kind stands for the kind and the text. A check whose selector matches no item fails, except --forbid. ` +
			"--for applies to the checks before it. " +
			"--stable without --for is about the items of --require, or without it about all that are in; it looks at every budget down to SLACK below. " +
			"--min-filled also holds if nothing is left out. --max-below-best compares the value with the best that any selection could have in the same room. " +
			"--min-prefix and --max-cost-ratio look at all requests of a session, as turns does. " +
			"--min-recall and --answered need labels, from the source or from --labels. " +
			"Of several cases in a source, --select names the one to check.\n\n" +
			"--record writes figures of the result to a file, and --against fails where a figure is worse than in such a file by more than --tolerance. " +
			"With both, the file is updated if all checks hold. " +
			"In the JSON of checks, a minFilled or minPrefix between 0 and 1 is refused: they are percentages.",
		Examples: "cupelscope check session.jsonl --max-tokens 32k --require 0 --stable 1k\n" +
			"cupelscope check --fixture agent --require is:pinned --stable 1k --min-filled 80 --no-split-pairs\n" +
			"cupelscope check --fixture agent --stays-by 32k --for kind:system --max-below-best 5\n" +
			"cupelscope check --fixture agent --record base.json\n" +
			"cupelscope check --fixture agent --against base.json --tolerance 2 --record base.json",
	}

	tokensUsage = usage{
		Use:   "tokens [source ...]",
		Short: "How many tokens does each item have, and is that exact?",
		Long: "How many tokens do the items have: each one, each kind, and all of them? Counts that the source gives are used as they are (given). " +
			"Texts without a count are counted exactly (counted), or estimated if the encoding of the model is not built in (estimated). " +
			"What is not text is estimated from its size (opaque). " +
			"--compare adds a column for each encoding, in which every text is counted.\n\n" +
			"--verify counts every text again with tiktoken-go, which is slow, and lists each difference; the exit code is then 1. " +
			"Texts with more than 10,000 characters without a break, for which tiktoken-go takes minutes, are listed as not verified.",
		Examples: "cupelscope tokens session.jsonl\n" +
			"cupelscope tokens chat.json --by kind --compare all\n" +
			"cupelscope tokens chat.json --verify\n" +
			"cupelscope tokens chat.json --model gpt-4o --message-overhead 3 -o csv",
	}

	batchUsage = usage{
		Use:   "batch [file|-]",
		Short: "Answer many scenarios: one line of JSON in, one line of JSON out",
		Long: "Answer many scenarios: each line of JSON gets one line of JSON, in the same order.\n\n" +
			"A line is a scenario with an id, which its answer repeats (null if there is none), and a query such as " +
			`{"op": "minBudget", "itemIndex": 3, "searchCeiling": 32000}; other ops are dryRun (the default), marginal, profile, compare for a line with a policyB, and quality for one with labels or answers. ` +
			`cupelscope schema batch-line lists all members. A line may also have a "question", which scores its items that have no relevance; --query is a question for all lines. ` +
			`A line that cannot be answered gets {"id", "error": {"code", "message"}}, and the batch goes on; the exit code is 1 if none could be answered, or with --strict if any could not.` + "\n\n" +
			"Flags of budget and policy replace or add that field in every line. With --policy or --preset the lines need no policy, " +
			"with --max-tokens no budget; --max-tokens alone keeps the distance of a line from its target to its maximum. " +
			"--slack applies only to marginal queries without slackTokens. A file that a line names in itemsFile is looked for in the folder of the batch; --trust-paths lets it lie elsewhere.",
		Examples: "cupelscope batch scenarios.jsonl > answers.jsonl\n" +
			"cat scenarios.jsonl | cupelscope batch --preset rag --max-tokens 32k",
	}

	fixturesUsage = usage{
		Use:   "fixtures",
		Short: "List the scenarios that come with the program, for --fixture",
		Long: "List the scenarios that come with the program, for --fixture. --write writes the files that the examples in help and documents use, " +
			"so that they run in that folder. If one of them is there with other content, nothing is written.",
		Examples: "cupelscope fixtures\n" +
			"cupelscope fixtures --write samples",
	}

	runsUsage = usage{
		Use:   "runs [source]",
		Short: "Which runs does a source hold, and which number opens each?",
		Long: "Which runs, result sets or scenarios does a source hold? Prints a row for each that can be opened: its number, which --select takes, title or first request, items, tokens and last time. " +
			"Those that cannot be opened are counted on standard error, with the first reason.",
		Examples: "cupelscope runs scenarios.jsonl\n" +
			"cupelscope runs scenarios.jsonl -o json",
	}

	sessionsUsage = usage{
		Use:   "sessions",
		Short: "Which sessions of coding agents are on this machine?",
		Long: "Which sessions of coding agents are on this machine? Prints a row for each, the newest first: agent, project, first request, size, age and file. " +
			"Known agents: " + strings.Join(sessions.Agents(), ", ") + ". Their folders are below the home folder, or where CLAUDE_CONFIG_DIR, CODEX_HOME and the like say. " +
			"Only names, sizes and the first rows of the files are read. " +
			"The explorer lists them with o, and --last opens the newest of this folder's project.",
		Examples: "cupelscope sessions\n" +
			"cupelscope sessions -o json",
	}

	policyUsage = usage{
		Use:   "policy [source]",
		Short: "Print the policy in force as Cupel's JSON",
		Long: "Print the policy in force as Cupel's JSON, which --policy and Cupel's .NET library read: the policy of a scenario, a preset or a file, with what the flags change. " +
			"--budget prints the budget instead. Standard error names what the .NET library would not load, with the type that stands for it in code. " +
			"The scorers are " + strings.Join(model.Names(model.ScorerTypes()), ", ") + ": cupelscope schema policy describes them.",
		Examples: "cupelscope policy --preset rag --slicer knapsack:50 > policy.json\n" +
			"cupelscope policy --fixture agent\n" +
			"cupelscope policy --fixture agent --budget",
	}

	schemaUsage = usage{
		Use:   "schema NAME",
		Short: "Print a JSON Schema: of a command's answers, or of what is read",
		Long: "Print a JSON Schema: of the answers of a command, by its name, or of what is read: policy, items, scenario, batch-line. " +
			"The number in $id rises when a field is removed or changes its meaning.",
		Examples: "cupelscope schema report\n" +
			"cupelscope schema policy > policy.schema.json",
	}
)
