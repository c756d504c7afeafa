package palette

import (
	"regexp"
	"sync"
)

// rewordings are whole lines as people type them, and what the palette reads in their place.
var rewordings = [...]struct{ said, read string }{
	{`(greedy|knapsack|stream|rank|prefix) instead of .+`, "$1"},
	{`(.+) instead of (.+)`, "keep $1, drop $2"},
	{`(?:replace|swap) (.+) (?:with|by|for) (.+)`, "keep $2, drop $1"},
	{`(?:bring back|get|keep) (#\d+) without (?:dropping|losing) (#\d+)`, "keep $1, keep $2"},
	{`(?:what does|what would|is) (#\d+) (?:cost|worth(?: it)?)`, "keep $1"},
	{`(?:why (?:did|has|was)|what (?:replaced|displaced)) (#\d+).*`, "why $1"},
	{`what (?:falls|drops) out (?:first|next)`, "less budget"},
	{`is (\w+) better than (\w+)`, "$2 vs $1"},
	{`is knapsack better`, "greedy vs knapsack"},
	{`(?:leave|make|keep) (?:room|space) for ([\d.,]+k?)(?: tokens)?`, "reserve $1"},
	{`(?:no|without)(?: an?| any)? ((?:output )?reserve|(?:safety )?margin|slack)`, "$1 0"},
	{`(?:no|without|remove|drop|delete|clear|reset)(?: all| the| any)? quotas?`, "remove quotas"},
	{`prefer (?:the )?(?:recent|new|newer|newest|latest)(?: items| messages)?`, "double recency"},
	{`(?:boost|favou?r|raise) (recency|priority|frequency)`, "double $1"},
	{`(?:boost|prefer|favou?r|promote) (.+)`, "more $1"},
	{`(?:demote|penali[sz]e) (.+)`, "less $1"},
	{`more (\w+),? (?:and )?less (\w+)`, "double kind $1 and half kind $2"},
	{`(?:use|try|switch to|change to) (\D.*)`, "$1"},
	{`(?:truncate|cut|shorten|trim|clip|compress|summari[sz]e) (?:everything|all)(?: items)?(.*)`, "shrink all$1"},
	{`(?:truncate|cut|shorten|trim|clip|compress|summari[sz]e) ([^#].*)`, "shrink $1"},
	{`(?:minus|-) ?([\d.,]+k?)|([\d.,]+k?|[\d.]+ ?%) (?:less|fewer|smaller)(?: budget| tokens)?`, "budget -$1$2"},
	{`(?:plus|\+) ?([\d.,]+k?)|([\d.,]+k?|[\d.]+ ?%) (?:more|larger|bigger)(?: budget| tokens)?`, "budget +$1$2"},
	{`(.*(?:at least|at most|more than|up to) )half (.+)`, "${1}50 % $2"},
	{`(.*(?:at least|at most|more than|up to) )a quarter (.+)`, "${1}25 % $2"},
	{`exactly (\w+) (\w.*)`, "at least $1 $2, at most $1 $2"},
	{`max (\d{1,2}) ((?:tool|doc|mem|mess)\w*)`, "at most $1 $2"},
	{`(?:cap|limit) ((?:tool|doc|mem|mess)\D*) (?:at|to) ([\d.]+ ?%?)`, "at most $2 $1"},
	{`(?:unpin|release) (?:everything|all)`, "unpin"},
	{`(?:ignore|skip|disregard|forget) (.+)`, "drop $1"},
	{`((?:bring|get) back|restore|keep|drop|remove|delete) (\d+)`, "$1 #$2"},
	{`(?:freeze|lock|always keep|always include) (.+)`, "pin $1"},
	{`exclude (?:the )?((?:\d+ )?(?:last|latest|newest|oldest|first|largest|biggest|longest|smallest|shortest)\b.*)`, "drop the $1"},
	{`pin (?:the )?((?:\d+ )?(?:last|latest|newest|oldest|first|largest|biggest|longest|smallest|shortest)\b.*)`, "keep the $1"},
	{`(?:drop|remove|delete|exclude) (?:everything|items|all items|all) (?:over|above|larger than|bigger than) ([\d.,]+k?)(?: tokens)?`, "exclude over $1"},
	{`(?:show|list|only)(?: me)?(?: the| all)? (pinned|out|excluded)(?: items)?|which items are (pinned|out|excluded)`, "filter is:$1$2"},
	{`(?:(?:show|list|which)(?: the)?(?: items)?|items)(?: that)?(?: are)? at risk`, "filter is:risk"},
	{`(?:show|list|only)(?: me)?(?: the| all)? ((?:tool|system|mem|doc|mess)\D*)`, "filter $1"},
	{`(?:find|search(?: for)?|grep) ("[^"]+"|\w+)`, "filter $1"},
	{`(?:keep|allow) duplicates`, "dedup off"},
	{`copy (?:the )?prompt`, "copy window"},
	{`(?:show|see|read)(?: me)? the prompt`, "Window view"},
	{`(?:show|see|open|read|go to)(?: me)?(?: the)? (items|compare|map|window|replay|trace|curve|turns)(?: view)?`, "$1 view"},
	{`(?:(?:set|show) )?(?:the )?price (?:of |is |to )?\$?([\d.]+)(?: ?\$| dollars?)?(?: (?:a|per|for a|for 1)? ?(?:million|1?m)\b.*)?`, "price $1"},
	{`(?:(?:show|draw|find|use|what is|which is)(?: me)? )?(?:the )?cheapest(?: plan)?`, "cheapest plan"},
	{`(?:ask|question|score by|rank by) (.+ .+)`, "query $1"},
	{`(?:open|load|read) (?:the )?(?:file|folder|session|chat) (\S+)`, "open $1"},
	{`(?:save|write|w) (?:it |this |scenario )?(?:as|to)? ?(\S*[./]\S+)`, "save as $1"},
	{`export (?:it |this |the report )?(?:to|as|into) (\S+)`, "export to $1"},
	{`(?:load|open) (?:the )?policy (?:from )?(\S+)`, "load policy $1"},
	{`(?:save|write) (?:the )?policy (?:as|to) (\S+)`, "save policy as $1"},
	{`(?:the )?budget (?:for|of|that holds|to hold)(?: all)?(?: of)?(?: the| what is)? (?:needed|marked)(?: items?)?|how many tokens do i need`, "the budget that holds all that is needed"},
	{`w|write`, "save"},
	{`q!?|qa!?|bye`, "quit"},
	{`help (?:on |with |about )?(.+)`, "$1"},
	{`(?:add|use) (?:the |a )?(recency|priority|frequency|kind|tag|reflexive)(?: scorer)?`, "+ scorer $1"},
	{`a (?:vs\.?|versus|against) b`, "Compare view"},
	{`reset(?: all| everything)?|start over`, "back to how it was opened"},
	{`go back|revert`, "undo"},
	{`(.*)\bitem (\d+)\b(.*)`, "$1#$2$3"},
}

// patterns returns the patterns of rewordings.
var patterns = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, r := range rewordings {
		all = append(all, regexp.MustCompile(`(?i)^(?:`+r.said+`)\??$`))
	}
	return all
})

// reworded returns what is read in the place of a line: the line itself, unless it is one of rewordings.
func reworded(line string) string {
	for k, pattern := range patterns() {
		if pattern.MatchString(line) {
			return pattern.ReplaceAllString(line, rewordings[k].read)
		}
	}
	return line
}
