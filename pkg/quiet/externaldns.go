package quiet

import (
	"io"
	"sync"

	"github.com/sirupsen/logrus"
)

var externalDNSOnce sync.Once

// ExternalDNS silences logrus, which external-dns logs through, for the whole process. Nothing else here uses it.
func ExternalDNS() {
	externalDNSOnce.Do(func() {
		logrus.SetOutput(io.Discard)
		logrus.SetLevel(logrus.PanicLevel)
		// It logs faults that it cannot go on with as fatal: they must not end the process without a word.
		logrus.StandardLogger().ExitFunc = func(int) { panic("external-dns gave up") }
	})
}
