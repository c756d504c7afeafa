package export

import "cupelscope/model"

// itemJSON returns item i of a set as JSON, with edits applied.
func itemJSON(s *model.Set, i int, o ReportOptions) model.ItemJSON {
	it := s.Item(i)
	j := it.JSON()
	if o.NoContent {
		j.Content = ""
	}
	return j
}
