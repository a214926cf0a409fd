package render

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// inOrder applies work to the names with some workers and hands the results to emit in the order of the names. A worker takes
// the next name only when a result has been handed on, so that results do not pile up behind a slow one.
func inOrder[T any](ctx context.Context, workers int, names []string, work func(string) T, emit func(T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers + 1)
	results := make([]chan T, len(names))
	for i := range results {
		results[i] = make(chan T, 1)
	}
	window := make(chan struct{}, 2*workers)
	group.Go(func() error {
		for _, result := range results {
			select {
			case value := <-result:
				<-window
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := emit(value); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for i, name := range names {
		select {
		case window <- struct{}{}:
		case <-ctx.Done():
			return group.Wait()
		}
		group.Go(func() error {
			results[i] <- work(name)
			return nil
		})
	}
	return group.Wait()
}
