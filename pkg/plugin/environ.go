package plugin

import (
	"context"
	"os"
)

// turn is held by the one build that may change the environment of the process.
var turn = make(chan struct{}, 1)

// takeTurn waits until no other build runs. The function that it gives ends the turn.
func takeTurn(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// setEnvironment sets environment variables. The function that it gives puts everything back.
func setEnvironment(variables map[string]string) (restore func(), err error) {
	var undo []func()
	restore = func() {
		for _, f := range undo {
			f()
		}
	}
	for name, value := range variables {
		old, found := os.LookupEnv(name)
		if err := os.Setenv(name, value); err != nil {
			restore()
			return nil, err
		}
		undo = append(undo, func() {
			if found {
				_ = os.Setenv(name, old)
			} else {
				_ = os.Unsetenv(name)
			}
		})
	}
	return restore, nil
}
