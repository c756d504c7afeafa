// Package relay spreads work over goroutines. It hands a panic in one of them to the goroutine
// that waits for it, which can end the program in order; otherwise the panic would end the
// program at once. It is no part of the library: the folders beside model use it too.
package relay

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// panicked is a panic as an error.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

// Catch runs f. A panic in f becomes its error, which Release makes a panic again.
func Catch(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicked{r, debug.Stack()}
		}
	}()
	return f()
}

// Release panics if err is a panic that Catch caught.
func Release(err error) {
	if p, ok := errors.AsType[*panicked](err); ok {
		panic(p)
	}
}
