package plugin

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/policyloom/policyloom/pkg/diag"
)

// reportEnv names the directory in which Build collects the findings of the plugins that it runs. kustomize itself would
// flatten them into one text on failure, and drop them on success.
const reportEnv = "POLICYLOOM_BUILD_REPORTS"

// writeReport stores the findings of one plugin run in a file of its own. Without a directory there is nobody to report to.
func writeReport(directory string, findings diag.Findings) error {
	if directory == "" || len(findings) == 0 {
		return nil
	}
	data, err := json.Marshal(findings)
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

// readReports gives the findings of all plugin runs in no particular order.
func readReports(directory string) (diag.Findings, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return nil, err
	}
	var all diag.Findings
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var findings diag.Findings
		if err := json.Unmarshal(data, &findings); err != nil {
			return nil, err
		}
		all = append(all, findings...)
	}
	return all, nil
}
