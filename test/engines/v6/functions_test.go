package engine_test

import (
	"testing"

	"github.com/stolostron/go-template-utils/v6/pkg/templates"

	"github.com/policyloom/policyloom/test/engines/golden"
)

func TestFunctions(t *testing.T) {
	golden.Functions(t, "v6", templates.AvailableSprigFunctions())
}
