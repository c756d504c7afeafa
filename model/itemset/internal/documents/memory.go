package documents

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Questions about long conversations with the turns that answer them: LoCoMo and LongMemEval. A
// question is a run; its items are the turns of the conversation, and what the file says was
// needed goes to Facts.Labels, never to an item.

// MemoryNoContent lists the members of samples that hold no content and are not reported as
// unread.
var MemoryNoContent = []string{
	"sample_id", "question_id", "question_type", "question_date", "category", "speaker_a", "speaker_b", "dia_id", "img_url", "img_file", "qa", "conversation",
	"haystack_dates", "haystack_session_ids", "haystack_sessions", "answer_session_ids", "adversarial_answer",
}

// turnNoContent is the same for turns: how LoCoMo found an image is none either.
var turnNoContent = append([]string{"query", "re-download"}, MemoryNoContent...)

// IsMemory reports whether an object is a sample of LoCoMo or of LongMemEval.
func IsMemory(o record.Object) bool { return isLoCoMo(o) || isLongMemEval(o) }

func isLoCoMo(o record.Object) bool {
	return o.Type("qa") == '[' && o.Type("conversation") == '{' && o.Open("conversation").Has("session_1")
}

func isLongMemEval(o record.Object) bool {
	return o.Type("haystack_sessions") == '[' && o.Has("question")
}

// Questions returns the number of questions in a sample.
func Questions(o record.Object) int {
	if isLongMemEval(o) {
		return 1
	}
	n := 0
	for range o.List("qa") {
		n++
	}
	return n
}

type question struct {
	sample   record.Object
	asked    record.Object // what holds the question; of LongMemEval the sample itself
	evidence []string      // names of the turns or sessions that answer it
}

// turn is a turn of a conversation.
type turn struct {
	conversation.Message
	names  []string // by which the evidence of a question refers to the turn
	marked bool     // the file marks the turn itself as evidence
}

// ReadMemory adds the turns for one question, chosen by doc.Choose, to the sink. The error
// is a *record.SelectError.
func ReadMemory(doc record.Document, sink record.Sink) error {
	var all []question
	for _, raw := range doc.Objects(sink, "a sample") {
		o := record.Open(raw)
		if isLongMemEval(o) {
			ids, _ := record.Strings(o.Raw("answer_session_ids"))
			all = append(all, question{o, o, ids})
			continue
		}
		for one := range o.List("qa") {
			asked := record.Open(one)
			all = append(all, question{o, asked, evidenceOf(asked)})
		}
	}
	label := func(i int) string { return fmt.Sprintf("%.60q", all[i].asked.Text("question")) }
	return doc.Choose(sink, "question", len(all), label, func(k int) error {
		sink.Unit("turn")
		q := all[k]
		turns := longMemEval(sink, q.sample)
		if turns == nil {
			turns = loCoMo(sink, q.sample)
		}
		q.give(sink, turns)
		return nil
	})
}

// evidenceOf returns the names of the turns that answer a question of LoCoMo. One
// string may hold several. For an adversarial question, whose evidence only misleads,
// it returns nil.
func evidenceOf(asked record.Object) []string {
	if isAdversarial(asked) {
		return nil
	}
	texts, _ := record.Strings(asked.Raw("evidence"))
	var names []string
	for _, text := range texts {
		names = append(names, strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' || r == ' ' })...)
	}
	return names
}

// isAdversarial reports whether a question of LoCoMo has no answer in the conversation: a
// question of category 5.
func isAdversarial(asked record.Object) bool {
	category, ok := record.Integer(asked.Raw("category"))
	return ok && category == 5 || asked.Has("adversarial_answer")
}

// give adds the turns to the sink, and labels each as needed or not needed for the
// answer.
func (q question) give(sink record.Sink, turns []turn) {
	facts := sink.Facts()
	facts.Question = q.asked.Text("question")
	answer := q.asked.Raw("answer")
	if isAdversarial(q.asked) {
		// the conversation does not answer it
	} else if jsonwalk.IsNumber(answer) {
		facts.Labels.Answers = append(facts.Labels.Answers, string(answer))
	} else if s, _ := jsonwalk.String(answer); s != "" {
		facts.Labels.Answers = append(facts.Labels.Answers, s)
	}
	for key := range q.sample.Unread(MemoryNoContent) {
		sink.Tell(record.Unread, record.Place{}, "sample."+key)
	}
	anyMarked := slices.ContainsFunc(turns, func(t turn) bool { return t.marked })
	met := map[string]bool{}
	messages := make([]conversation.Message, len(turns))
	grades := make([]int, len(turns))
	for i, t := range turns {
		messages[i] = t.Message
		needed := t.marked
		for _, name := range t.names {
			if slices.Contains(q.evidence, name) {
				met[name] = true
				needed = needed || !anyMarked // the turn itself says more than its session
			}
		}
		if needed {
			grades[i] = 1
		}
	}
	for _, name := range q.evidence {
		if !met[name] {
			facts.Labels.Unreachable++
			sink.Tell(record.Changed, record.Place{}, "labels that name no turn")
		}
	}
	first := sink.Items()
	conversation.Write(sink, nil, messages)
	if sink.Items()-first != len(messages) { // an empty turn gives no item
		sink.Tell(record.Changed, record.Place{}, "labels left out, as some turns gave no item")
		return
	}
	for i, grade := range grades {
		facts.Grade(first+i, grade)
	}
}

// loCoMo reads the turns of the sessions of a conversation in order: session_1, session_2, ...
func loCoMo(sink record.Sink, sample record.Object) (all []turn) {
	talk := sample.Open("conversation")
	name := "session_1"
	for n := 2; talk.Has(name); n++ {
		all = session(sink, all, talk.Raw(name), talk.Text(name+"_date_time"), "3:04 pm on 2 January, 2006", func(o record.Object) (turn, string) {
			id, speaker, text := o.Text("dia_id"), o.Text("speaker"), o.Text("text")
			if speaker != "" { // both are users: the text alone does not tell who says it
				text = speaker + ": " + text
			}
			if caption := o.Text("blip_caption"); caption != "" {
				text += "\n[image: " + caption + "]"
			}
			return turn{Message: conversation.Message{ID: id, Role: "user", Meta: map[string]any{"name": speaker, "session": name}}, names: []string{id}}, text
		})
		name = fmt.Sprintf("session_%d", n)
	}
	var undated []string // keys of dates whose session is missing
	for _, m := range talk {
		if session, ok := strings.CutSuffix(m.Key, "_date_time"); ok && !talk.Has(session) {
			undated = append(undated, m.Key)
		}
	}
	record.TellUnread(sink, record.Place{}, "conversation.", talk, append([]string{"speaker_a", "speaker_b"}, undated...))
	return all
}

// longMemEval reads the turns of all sessions of a LongMemEval sample. For a sample of
// LoCoMo it returns nil.
func longMemEval(sink record.Sink, sample record.Object) []turn {
	if !isLongMemEval(sample) {
		return nil
	}
	ids, _ := record.Strings(sample.Raw("haystack_session_ids"))
	dates, _ := record.Strings(sample.Raw("haystack_dates"))
	all := []turn{}
	for list := range sample.List("haystack_sessions") {
		var id, date string
		var meta map[string]any
		if len(ids) > 0 {
			id, ids = ids[0], ids[1:]
		}
		if len(dates) > 0 {
			date, dates = dates[0], dates[1:]
		}
		if id != "" {
			meta = map[string]any{"session": id}
		}
		all = session(sink, all, list, date, "2006/01/02 (Mon) 15:04", func(o record.Object) (turn, string) {
			return turn{Message: conversation.Message{Role: o.Text("role"), Meta: meta}, names: []string{id}, marked: o.Is("has_answer")}, o.Text("content")
		})
	}
	return all
}

// session appends the turns of a session, a second apart from its date on, if that is one in
// the layout. turnOf returns a turn and what is said in it.
func session(sink record.Sink, all []turn, list []byte, date, layout string, turnOf func(record.Object) (turn, string)) []turn {
	at, err := time.Parse(layout, date)
	for raw := range jsonwalk.Elements(list) {
		o := record.Open(raw)
		t, text := turnOf(o)
		t.Place = record.Place{N: len(all) + 1}
		t.Message.Say(text)
		if err == nil {
			t.At, at = model.Some(at), at.Add(time.Second)
		}
		record.TellUnread(sink, t.Place, "turn.", o, turnNoContent)
		all = append(all, t)
	}
	return all
}
