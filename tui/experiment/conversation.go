package experiment

import (
	"cupelscope/model"
	"cupelscope/model/itemset/record"
	"cupelscope/simulate"
	"cupelscope/simulate/turns"
)

// Conversation is what the requests of a session are cut from: all items, whatever
// the moment. Immutable.
type Conversation struct {
	Items *model.Set // edits applied
	Pairs simulate.Pairs
	Told  []record.Turn // what the provider said of answers
}

// Tell says what the source tells of messages. It is called before anything is
// computed.
func (e *Experiment) Tell(told []record.Turn) { e.told = told }

// Conversation is what its requests are cut from now.
func (e *Experiment) Conversation() Conversation { return Conversation{e.whole, e.linked, e.told} }

// Requests cuts the conversation. The error is that of turns.FromItems.
func (c Conversation) Requests() (*turns.Session, error) {
	return turns.FromItems(c.Items, c.Pairs, c.Told)
}

// Cost predicts, in microseconds on one core, how long Requests takes.
func (c Conversation) Cost() int { return 10 + c.Items.Len()/4 }
