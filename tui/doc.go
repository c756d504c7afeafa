// Package tui is the program: it joins the explorer to the command line.
//
// The explorer is internal/explorer: one Bubble Tea model that owns the experiment,
// routes keys through one table of actions, hands long work to lanes, and
// draws panes into the rectangles of one layout function.
//
// Only Update changes what is shown. View draws a frame when Update has marked the last
// one as out of date, returns it, and remembers where on the screen it drew what.
//
// # How a key becomes a frame
//
// Update hands a key to pressed, which remembers the frame: if the key leaves it as it is, the
// message line tells why. From there on, in this order:
//
//	key      A line that is being typed takes the key itself. Otherwise keys.find
//	         looks up the action that the key means on the screen as it is.
//	do       The action runs. One that changes the setup only plans: its Plan makes a
//	         Change, or the error that says why it does nothing now. What previews,
//	         hints and the palette say of a key comes from the same Plan. What is typed,
//	         chosen in the palette, dragged or clicked makes a Change too.
//	carryOut The experiment takes the setup of the Change, with its label for undo.
//	         All results of the old setup are out of date from here on. A Change with
//	         a Begin only starts work, such as trying every value of a knob; tryNow
//	         does the action again when that is done.
//	settle   outcomes.settle asks for the result of the side that is shown, then for
//	         the result of the other side. Each starts in its lane. Update waits for the
//	         answers as long as the frame allows: 12 ms for all jobs of a key, 2 ms for jobs
//	         that a late answer starts. A later one comes as a message. A newer request
//	         cancels what runs in its lane.
//	refresh  The knobs, the screens of the stack and the view that is shown take over
//	         what is known now. A view that is hidden does so when it is shown.
//	work     The view, the screens and the panes say which work they want next; the
//	         pool starts it and waits with what is left of the 12 ms, for what explains
//	         the result 8 ms less. What no one waits for, and took longer before, starts
//	         once no key comes for a while.
//	View     render lays out the screen and draws each pane into its rectangle. The
//	         display writes what has changed to the terminal at once.
//
// The answer of a lane comes back to Update as a work.Answer, or as a work.Then from what reads
// files, counts or tunes. Both bring with them the function that takes the answer. An answer is
// dropped if a newer request has replaced it; otherwise it goes on at settle. What is due by the
// clock, such as a look at how far work is, comes as a quietMsg, which goes on there only if it
// changes anything.
//
// # What the libraries do, and what is done by hand
//
// Bubble Tea runs the program. Lip Gloss is the theme (a Style a role) and the
// borders of boxes. Of Bubbles, textinput is behind every line that is typed, spinner and
// progress behind all that takes longer than a blink. tiktoken-go knows the
// encoding of a model, and is the reference that counts are tested against.
//
// What these libraries also offer, and the program does by hand, stands in this table. The first
// four rows and that of the terminal were measured at 120x36 by
//
//	go test ./tui/internal/explorer -run - -bench Instead -benchtime 200x
//
// and the last by
//
//	go test ./model/tokens -run - -bench "Count/(prose|long)|Reference" -benchtime 2x
//
// with other work on the machine, so that only the proportions count:
//
//	by hand                       instead of                      why
//	cells of a frame, 0.14 ms     uv.ScreenBuffer, 1.4 ms;        a frame has 4 ms, and the renderer
//	(draw.Canvas)                 lipgloss.Compositor, 3.2 ms;    takes its part; roles are also what
//	                              Style.Render a cell, 22 ms      tests and marks of rows refer to
//	overlays (screen, on the      lipgloss layers, Place          the compositor's 3.2 ms; an overlay takes
//	canvas, lipgloss borders)                                     a rectangle of the layout, so that
//	                                                              nothing has to be laid over anything
//	tables of views               lipgloss table, 210 ms          only the rows in sight are drawn; a
//	                              for 10,000 rows                 set may have 100,000
//	long texts (overlay.Reader)   bubbles viewport, 346 ms        lines are broken where they are
//	                              a page of 1 MB                  drawn, 0.2 ms a page
//	view of typed text            bubbles textinput's View        it writes characters that turn text
//	(widget.Input)                                                round or cannot be seen; the state
//	                                                              and the keys are its
//	list of a folder              bubbles filepicker              it writes names as they are, line
//	(overlay.Picker)                                              breaks and escape sequences too, does
//	                                                              not tell why a folder cannot be read,
//	                                                              and moves only a step a key
//	footer (pane.Hints)           bubbles help                    a hint that is too long makes room
//	                                                              for the next, "? all keys" stays, and
//	                                                              each can be clicked
//	differences of windows        go-udiff                        windows differ by whole items: made of
//	(window.difference)                                           these a difference is exact, in O(n)
//	frames on the terminal,       Bubble Tea's renderer,          it looks for one 120 times a second: a
//	0.06 ms (explorer.display)    0.55 ms                         key would wait up to 8 ms more; the modes
//	                                                              of the terminal stay its
//	token counts, 45 MB/s         tiktoken-go, 1.3 MB/s;          a source may have 1 GB, and a run of
//	(model/tokens)                20,000 times one letter:        one letter takes it time that grows
//	                              0.3 s                           with the square
//
// # Memory
//
// What a session holds beside the texts of its items, in bytes an item, for a chat of
// messages of 120 to 1,200 bytes of real text with the axis up to 128,000 tokens, by
//
//	go test ./tui/internal/explorer -run - -bench Memory -benchtime 2x
//
//	                              10,000 items   100,000 items
//	loaded                        256            254
//	counted                        63             36
//	outcome of A, greedy          170             80
//	outcome of B, knapsack 100    131             24   shares A's ranking
//	best possible                 206             21   8 bytes for each token of the axis
//	the result before A's         158             55   where undo leads; none of a knapsack
//
// The counter holds 5 MB more for its encoding, once, and 0.5 MB for each core that counts. The
// table that Replay shows, the best possible, and the table of a knapsack whose side is not edited
// (18 MB of 10,000 items with buckets of 1) are freed when nothing shows them, and computed
// anew where a view does; a view that is not shown keeps no result of a past setup (DropStale
// of screen.Spec).
package tui
