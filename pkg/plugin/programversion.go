package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

const (
	// versionTimeout is how long a program may take to say its version.
	versionTimeout = 10 * time.Second
	// versionLimit is how much of what it says is shown.
	versionLimit = 100
)

// versionOf gives the first line that a program prints.
func versionOf(ctx context.Context, program string, args ...string) (string, error) {
	output, err := outputOf(ctx, program, args...)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	if len(line) > versionLimit {
		line = strings.ToValidUTF8(line[:versionLimit], "") + "..."
	}
	return line, nil
}

// kubectlVersion gives the versions of kubectl and of the kustomize in it.
func kubectlVersion(ctx context.Context, program string) (string, error) {
	output, err := outputOf(ctx, program, "version", "--client", "--output=json")
	if err != nil {
		return "", err
	}
	var version struct {
		ClientVersion    struct{ GitVersion string }
		KustomizeVersion string
	}
	if err := json.Unmarshal(output, &version); err != nil {
		return "", fmt.Errorf("its version is no JSON: %w", err)
	}
	return fmt.Sprintf("%s with kustomize %s", version.ClientVersion.GitVersion, version.KustomizeVersion), nil
}

// outputOf runs a program without input for a limited time.
func outputOf(ctx context.Context, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, versionTimeout, errors.New("it did not answer in time"))
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	// Its children may keep the output open.
	command.WaitDelay = time.Second
	var stdout bytes.Buffer
	command.Stdout = &stdout
	err := command.Run()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	return stdout.Bytes(), err
}
