package command

import (
	"cupelscope/model"
	"cupelscope/model/tokens"
)

// Window is the context window of a model by its name, see tokens.FindModel; 0
// if it is not known.
func Window(name string) model.Tokens {
	m, _ := tokens.FindModel(name)
	return m.Window
}
