package tui

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

func TestASignalIsSaid(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(signalError(syscall.SIGTERM))
	for _, verb := range []string{"report", "min-budget", "compare greedy knapsack -", "batch -", "tokens"} {
		var out, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader("{}\n"), Out: &out, Err: &diagnostics}, Screen: clitest.Explorer{}.Screen()}
		code := p.Run(ctx, strings.Fields(verb))
		if code != 143 || !strings.HasPrefix(diagnostics.String(), "cupelscope: stopped by a signal (terminated); what was not answered") {
			t.Errorf("%s: exit %d, %q", verb, code, diagnostics.String())
		}
	}
}
