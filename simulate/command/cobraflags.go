package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/simulate/session"
)

// groupOf is the key of the annotation that holds a flag's group.
const groupOf = "group"

// addFlags adds flags to c.
func addFlags(c *cobra.Command, flags []session.Flag) {
	set := c.Flags()
	for _, f := range flags {
		switch {
		case f.Text != nil:
			set.StringVarP(f.Text, f.Name, f.Letter, *f.Text, f.Usage)
		case f.Texts != nil:
			set.StringArrayVarP(f.Texts, f.Name, f.Letter, *f.Texts, f.Usage)
		case f.Lists != nil:
			set.StringSliceVarP(f.Lists, f.Name, f.Letter, *f.Lists, f.Usage)
		case f.Bool != nil:
			set.BoolVarP(f.Bool, f.Name, f.Letter, *f.Bool, f.Usage)
		case f.Int != nil:
			set.IntVarP(f.Int, f.Name, f.Letter, *f.Int, f.Usage)
		case f.Read != nil:
			set.VarP(&readText{flag: f}, f.Name, f.Letter, f.Usage)
		}
		if f.Text != nil || f.Int != nil || f.Read != nil && !f.Repeats {
			once(set.Lookup(f.Name))
		}
		if f.Truth {
			set.Lookup(f.Name).NoOptDefVal = "true"
		}
		if f.Bool == nil && !f.Truth {
			complete(c, f.Name, f.Offers, f.Files)
		}
		if f.Group != "" {
			set.Lookup(f.Name).Annotations = map[string][]string{groupOf: {f.Group}}
		}
	}
}

// readText is the value of a flag whose text is read as it is set.
type readText struct {
	text string
	flag session.Flag
}

func (v *readText) String() string { return v.text }
func (v *readText) Type() string {
	if v.flag.Truth {
		return "bool"
	}
	return "string"
}

// Set implements pflag.Value.
func (v *readText) Set(text string) error {
	v.text = text
	if text == "" {
		return errEmpty
	}
	return v.flag.Read(text)
}

// onceValue is the value of a flag that refuses another one after it: the first would be lost
// in silence. A value from preset may be replaced.
type onceValue struct {
	pflag.Value
	of *pflag.Flag
}

// once makes a flag refuse a second value.
func once(f *pflag.Flag) { f.Value = onceValue{f.Value, f} }

// What is wrong with the value of a flag, whichever flag it is.
var (
	errTwice = errors.New("given twice")
	errEmpty = errors.New("empty: give a value, or leave it out")
)

// Set implements pflag.Value.
func (v onceValue) Set(text string) error {
	before := v.String()
	if err := v.Value.Set(text); err != nil || !v.of.Changed || v.String() == before {
		return err
	}
	return fmt.Errorf("%w: %.40q and %.40q; it takes one value", errTwice, before, text)
}

// wrongFlag returns the error of parsing the flags of c in words.
func wrongFlag(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		arg := "--" + unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			arg = "-" + letters
			if len(letters) > 1 && c.Root().Flags().Lookup("v"+letters) != nil { // the parser took the v of -version for --verbose
				arg = "-v" + letters
			}
		}
		return cmp.Or(pastedDash(c, arg), unknownFlag(c, arg))
	}
	return wrongValue(err)
}

// wrongValue returns the error of parsing flags in words, where it is about a value.
func wrongValue(err error) error {
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	if errors.Is(err, errTwice) || errors.Is(err, errEmpty) {
		return fmt.Errorf("--%s is %w", wrong.GetFlag().Name, wrong.Unwrap())
	}
	must := "is not a whole number"
	switch kind := wrong.GetFlag().Value.Type(); {
	case kind == "string":
		return fmt.Errorf("--%s: %w", wrong.GetFlag().Name, wrong.Unwrap())
	case errors.Is(err, strconv.ErrRange):
		must = "is too large"
	case kind == "bool":
		must = "must be true or false"
	}
	return fmt.Errorf("--%s: %.40q %s", wrong.GetFlag().Name, wrong.GetValue(), must)
}

// unknownFlag returns the error of a flag that c does not have, with the one that was
// probably meant, or the only command that has it.
func unknownFlag(c *cobra.Command, arg string) error {
	name, see := strings.TrimLeft(arg, "-"), c.Name()
	meant := meantFlag(c, name)
	switch only := onlyWith(c.Root(), name); {
	case meant == "" && strings.HasPrefix(name, "no-col"):
		meant = ": NO_COLOR=1 switches colours off"
	case only != "" && name != "budget": // of policy, where it is no number
		meant, see = ", only "+only+" has it", only
	case meant != "":
		meant = ": did you mean " + meant + "?"
	}
	return fmt.Errorf("%s has no flag %.40s%s (see %s --help)", c.Name(), arg, meant, see)
}

// onlyWith returns the only command that has a flag of this name; "" if several have, or none.
// Explore has the flags of the root.
func onlyWith(root *cobra.Command, name string) (only string) {
	for _, c := range append(root.Commands(), root) {
		if c.Name() == "explore" || c.Flags().Lookup(name) == nil {
			continue
		}
		if only != "" {
			return ""
		}
		only = c.Name()
	}
	return only
}

// meantFlag returns the flag of c that a name was probably to be, as it is typed: one that
// differs by few letters, one that begins alike, or one that takes the name as its value;
// "" if there is none.
func meantFlag(c *cobra.Command, name string) (meant string) {
	switch {
	case name == "budget":
		name = "max-tokens"
	case strings.HasPrefix(name, "no-col") && c.Flags().Lookup("theme") != nil:
		return "--theme none"
	}
	names := []string{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names = append(names, f.Name)
		if offers, ok := c.GetFlagCompletionFunc(f.Name); ok && meant == "" {
			if values, _ := offers(c, nil, ""); slices.Contains(values, name) {
				meant = "--" + f.Name + " " + name
			}
		}
	})
	const slips = 2 // more is another word
	for _, near := range plain.Nearest(name, names, 1) {
		if plain.Slips(name, near) <= min(slips, len(name)/2) {
			return "--" + near
		}
	}
	longer := slices.DeleteFunc(names, func(flag string) bool { return len(name) < 3 || !strings.HasPrefix(flag, name) })
	if meant == "" && len(longer) > 0 {
		return "--" + strings.Join(longer, " or --")
	}
	return meant
}

// emptyValue returns an error if a flag was given an empty text. That is mostly a
// variable of a script that is not set, and the answer would be about something else
// than was asked.
func emptyValue(set *pflag.FlagSet) (err error) {
	set.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch list, ok := f.Value.(pflag.SliceValue); {
		case ok:
			values = list.GetSlice()
		case f.Value.Type() != "string":
			return
		}
		if len(values) == 0 || slices.Contains(values, "") {
			err = cmp.Or(err, fmt.Errorf("--%s is %w", f.Name, errEmpty))
		}
	})
	return err
}

// complete registers what the shell completes for the value of a flag of c: offers, with
// files where it may also be one, or what the word for its value in the usage stands for.
func complete(c *cobra.Command, name string, offers []string, files bool) {
	value, _ := pflag.UnquoteUsage(c.Flags().Lookup(name))
	directive, values := cobra.ShellCompDirectiveNoFileComp, cobra.CompletionFunc(nil)
	switch {
	case files || offers == nil && value == "FILE":
		directive = cobra.ShellCompDirectiveDefault
	case value == "SELECTOR":
		values = func(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
			found := query.Complete(text, model.KnownKinds())
			if text == "" { // any term may begin here: the usual ones
				found = []string{"kind:", "is:"}
			}
			return found, directive | cobra.ShellCompDirectiveNoSpace
		}
	case strings.HasPrefix(value, "KIND="):
		for _, kind := range model.KnownKinds() {
			offers = append(offers, string(kind)+"=")
		}
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	if values == nil {
		values = cobra.FixedCompletions(offers, directive)
	}
	if err := c.RegisterFlagCompletionFunc(name, values); err != nil {
		panic(err) // c does not have the flag
	}
}

// plainUsages takes the marks around the words for values out of the usages of all flags,
// which a completion would show.
func plainUsages(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, sub := range c.Commands() {
		plainUsages(sub)
	}
}
