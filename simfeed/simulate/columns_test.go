package simulate

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// flatten is a decoded second as CSV names it: hops by name and class, services
// by name, numbers of attempts from 1.
func flatten(path string, v any, into map[string]string) {
	in := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for name, below := range v {
			if name != "states" && name != "changes" && name != "refused_by" {
				flatten(in(name), below, into)
			}
		}
	case []any:
		for i, below := range v {
			name := fmt.Sprint(i + 1)
			if m, ok := below.(map[string]any); ok {
				if name = m["name"].(string); m["class"] != nil {
					name += "[" + m["class"].(string) + "]"
				}
				delete(m, "name")
				delete(m, "class")
			}
			flatten(in(name), below, into)
		}
	case json.Number:
		into[path] = v.String()
	case string:
		into[path] = v
	case nil:
		into[path] = ""
	}
}

// TestASecondIsTheSameInJSONAndCSV in every number of it, and none is in the one
// format alone.
func TestASecondIsTheSameInJSONAndCSV(t *testing.T) {
	for _, args := range [][]string{
		{"payment-1945:tenth", "--act=all", "--set=length=70s"},
		{"hung-threads", "--set=length=30s"},
		{"six-seconds", "--set=length=40s"},
	} {
		args = append(args, "--control=false")
		dec := json.NewDecoder(strings.NewReader(run(t, append(args, "--format=json")...)))
		dec.UseNumber()
		var doc struct{ Series []map[string]any }
		if err := dec.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(run(t, append(args, "--format=csv")...))).ReadAll()
		if err != nil || len(rows) != len(doc.Series)+1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, second := range doc.Series {
			want := map[string]string{}
			flatten("", second, want)
			for j, name := range rows[0] {
				text, there := want[name]
				counted := strings.Contains(name, "_attempt.") || strings.Contains(name, "].rejected.") || strings.Contains(name, "].refused.")
				total := strings.HasSuffix(name, "].rejected")
				switch cell := rows[i+1][j]; {
				case there && cell != text, !there && counted && cell != "0", !there && !counted && !total:
					t.Fatalf("%v, second %d: %s is %q, in JSON %q", args, i+1, name, cell, text)
				}
				delete(want, name)
			}
			if len(want) > 0 {
				t.Fatalf("%v, second %d: in JSON alone: %v", args, i+1, want)
			}
		}
	}
}

// TestWhatIsRefusedAddsUp over the classes to what the service refused.
func TestWhatIsRefusedAddsUp(t *testing.T) {
	var doc decoded
	if err := json.Unmarshal([]byte(run(t, "payment-1945:tenth", "--set=length=90s", "--set=services.order.queue=100", "--control=false", "--format=json")), &doc); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, s := range doc.Series {
		for _, v := range s.Services {
			var refused, queued, wasted, by int64
			hops := 0
			for _, h := range s.Hops {
				if strings.HasSuffix(h.Name, ">"+v.Name) {
					hops++
					queued, wasted = queued+h.Queued, wasted+h.Wasted
					for reason, n := range h.Refused {
						refused += n
						sums[reason] += n
					}
				}
			}
			for _, n := range v.RefusedBy {
				by += n
			}
			if by != v.Refused || hops > 0 && (refused != v.Refused || queued != v.Queued || wasted != v.Wasted) {
				t.Fatalf("second %v, %s: refused %d, by class %d, by reason %d; queued %d and %d; wasted %d and %d", s.T, v.Name, v.Refused, refused, by, v.Queued, queued, v.Wasted, wasted)
			}
		}
		for _, h := range s.Hops {
			if h.Requests > 0 && *h.Amplification != float64(h.Attempts)/float64(h.Requests) {
				t.Fatalf("second %v, %s: amplification %v of %d attempts for %d requests", s.T, h.Name, *h.Amplification, h.Attempts, h.Requests)
			}
		}
	}
	if sums["queue_full"] == 0 {
		t.Errorf("the storm fills no queue: %v", sums)
	}
}
