package plugin

import (
	"encoding/json"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/policyloom/policyloom/pkg/diag"
)

// reportEnv names the directory in which Build collects what the plugins say that it runs. kustomize itself would flatten
// findings into one text on failure, and drop them on success.
const reportEnv = "POLICYLOOM_BUILD_REPORTS"

// runReport is what one run of the plugin tells Build. A resource for which there is none had no effect.
type runReport struct {
	// Directory is that of the kustomization.
	Directory string `json:"directory"`
	// Name is that of the resource, empty if it could not be read.
	Name     string        `json:"name"`
	Findings diag.Findings `json:"findings"`
}

func reportOf(directory string, config []byte, findings diag.Findings) runReport {
	var document yaml.Node
	_ = yaml.Unmarshal(config, &document)
	return runReport{Directory: directory, Name: textOf(&document, "metadata", "name"), Findings: findings}
}

// writeReport stores a report in a file of its own. Without a directory there is nobody to report to.
func writeReport(directory string, report runReport) error {
	if directory == "" {
		return nil
	}
	data, err := json.Marshal(report)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(directory, "*.json")
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

// readReports gives what all plugin runs said, in no particular order.
func readReports(directory string) ([]runReport, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []runReport
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var report runReport
		if err := json.Unmarshal(data, &report); err != nil {
			return nil, err
		}
		all = append(all, report)
	}
	return all, nil
}
