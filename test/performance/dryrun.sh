#!/bin/sh
# Times the config-policy-controller's dry-run and policyloom on the same ConfigurationPolicy and the same cluster.
#
# The dry-run cannot list custom resources, so ConfigMaps stand for virtual machines: one of about 4 KB for each, with the name
# and the address that a policy publishes. The policy ranges over them and asks for a ConfigMap for each. Both programs read the
# YAML file and render the policy; the dry-run compares what it gives with the cluster, too. policyloom does that with --evaluate: it
# even finds what the policy would do if it enforced, which the dry-run does not.
#
#   test/performance/dryrun.sh [NUMBER...]     with 500, 1,000 and 2,000 ConfigMaps, or as many as the arguments say
#
# It needs Go and GNU time. CPU seconds are the best of three runs, memory is the most of them.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

export CGO_ENABLED=0
go -C "$root" build -trimpath -ldflags "-s -w" -o "$work/policyloom" ./cmd/policyloom
go build -trimpath -ldflags "-s -w" -o "$work/dryrun" open-cluster-management.io/config-policy-controller/cmd/dryrun

cat > "$work/policy.yaml" <<'END'
apiVersion: policy.open-cluster-management.io/v1
kind: ConfigurationPolicy
metadata:
  name: names
spec:
  remediationAction: inform
  severity: low
  object-templates-raw: |
    {{- range $machine := (lookup "v1" "ConfigMap" "" "" "machine=true").items }}
    - complianceType: musthave
      objectDefinition:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: {{ $machine.metadata.name }}-dns
          namespace: {{ $machine.metadata.namespace }}
        data:
          name: {{ index $machine.metadata.annotations "dns-name" | toRawJson }}
          address: {{ $machine.data.address | toRawJson }}
    {{- end }}
END

machines() {
	awk -v count="$1" 'BEGIN {
		for (i = 0; i < count; i++) {
			printf "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vm%d\n  namespace: ns%d\n", i, i % 50
			printf "  labels:\n    machine: \"true\"\n  annotations:\n    dns-name: vm%d.example.com\n", i
			printf "data:\n  address: 10.0.%d.%d\n", i / 250, i % 250
			for (line = 0; line < 130; line++) printf "  field-%02d: value %d of vm %d\n", line, line, i
		}
	}'
}

# measure PROGRAM... prints the least CPU seconds and the most memory of three runs.
measure() {
	for _ in 1 2 3; do
		# The programs say by their exit status that the objects are not there.
		/usr/bin/time -q -f '%U %S %M' -o "$work/time" "$@" > "$work/out" 2> "$work/err" || test $? -le 2 || {
			cat "$work/err" >&2
			return 1
		}
		tail -n 1 "$work/time"
	done | awk '{ cpu = $1 + $2; if (NR == 1 || cpu < least) least = cpu; if ($3 > most) most = $3 } END { print least, int(most / 1024) }'
}

printf '%-8s %-14s %-6s %-11s %-6s %-11s %-6s %s\n' OBJECTS 'DRY-RUN CPU s' MB RENDER MB EVALUATE MB RATIOS
for count in ${@:-500 1000 2000}; do
	mkdir -p "$work/$count"
	machines "$count" > "$work/$count/machines.yaml"
	dryrun=$(measure "$work/dryrun" --no-colors --print-diffs=false -p "$work/policy.yaml" "$work/$count/machines.yaml")
	grep -q "^# Compliance messages:" "$work/out" || { cat "$work/out" >&2; exit 1; }
	ours=$(measure "$work/policyloom" render -f "$work/policy.yaml" --cluster "$work/$count" -o name)
	test "$(grep -c 'ConfigMap ' "$work/out")" -eq "$count" || { echo "policyloom did not render $count objects" >&2; exit 1; }
	evaluated=$(measure "$work/policyloom" render --evaluate -f "$work/policy.yaml" --cluster "$work/$count" -o table)
	test "$(grep -c ' would create  *ConfigMap ' "$work/out")" -eq "$count" || { echo "policyloom did not evaluate $count objects" >&2; exit 1; }
	echo "$count $dryrun $ours $evaluated" |
		awk '{ printf "%-8s %-14.2f %-6d %-11.2f %-6d %-11.2f %-6d %.0f and %.0f\n", $1, $2, $3, $4, $5, $6, $7, $2 / $4, $2 / $6 }'
done
