package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// vmis gives n VirtualMachineInstances of about 4 KB each, as oc get prints them, in five notations.
func vmis(tb testing.TB, n int) map[string][]byte {
	tb.Helper()
	template, err := os.ReadFile("testdata/vmi.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	var stream, list, jsonStream, jsonList, oneLine bytes.Buffer
	list.WriteString("apiVersion: v1\nitems:\n")
	jsonList.WriteString(`{"apiVersion": "v1", "items": [`)
	for i := range n {
		one := strings.NewReplacer("web01", fmt.Sprintf("web%05d", i), "10.128.2.150", fmt.Sprintf("10.%d.%d.7", i/250%250, i%250)).Replace(string(template))
		stream.WriteString("---\n" + one)
		list.WriteString("- " + strings.ReplaceAll(strings.TrimSuffix(one, "\n"), "\n", "\n  ") + "\n")
		objects, findings := Decode("vmi.yaml", []byte(one))
		if len(findings) > 0 {
			tb.Fatal(findings)
		}
		indented, err := json.MarshalIndent(objects[0].Object, "", "    ")
		if err != nil {
			tb.Fatal(err)
		}
		jsonStream.Write(append(indented, '\n'))
		if i > 0 {
			jsonList.WriteByte(',')
		}
		jsonList.Write(indented)
	}
	list.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	jsonList.WriteString(`], "kind": "List"}`)
	if err := json.Compact(&oneLine, jsonList.Bytes()); err != nil {
		tb.Fatal(err)
	}
	return map[string][]byte{
		"stream.yaml": stream.Bytes(), "list.yaml": list.Bytes(), "stream.json": jsonStream.Bytes(), "list.json": jsonList.Bytes(),
		"line.json": oneLine.Bytes(),
	}
}

// BenchmarkDecode reads what oc prints, as policies are read, and as fixtures are. The metric is what stays in memory.
func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{500, 5000} {
		inputs := vmis(b, n)
		fsys := fstest.MapFS{}
		for name, data := range inputs {
			fsys[name] = &fstest.MapFile{Data: data}
		}
		for _, name := range []string{"stream.yaml", "list.yaml", "stream.json", "list.json", "line.json"} {
			for purpose, options := range map[string][]Option{"policies": nil, "fixtures": {Fixtures()}} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, purpose, n), func(b *testing.B) {
					b.SetBytes(int64(len(inputs[name])))
					b.ReportAllocs()
					for b.Loop() {
						objects, findings := LoadFS(fsys, name, options...)
						if len(objects) != n || len(findings) > 0 {
							b.Fatal(len(objects), findings)
						}
						b.StopTimer()
						b.ReportMetric(float64(retained(objects))/1e6, "kept-MB")
						b.StartTimer()
					}
				})
			}
		}
	}
}

// retained tells how many bytes of the heap go when the objects go.
func retained(objects []Object) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	runtime.KeepAlive(objects)
	objects = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	return before.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}
