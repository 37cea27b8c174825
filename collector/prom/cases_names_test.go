package prom

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

const mesh = "outbound|9080||reviews.default.svc.cluster.local"

// TestBarsAndDotsInNamesAreNoPattern is case E3: the course and the callers of a
// target are asked for by its name, in which a bar would mean "or" and a dot
// anything.
func TestBarsAndDotsInNamesAreNoPattern(t *testing.T) {
	istio := hop("lib", collector.Exact, func(p *profile.Profile) { p.By, p.Callers = []string{"cluster_name"}, []string{"pod"} })
	sc := script{
		"(rate(lib_in[":       {`cluster_name="` + mesh + `"`: 100},
		"(rate(lib_out[":      {`cluster_name="` + mesh + `"`: 200},
		"(rate(lib_in{clust":  {`cluster_name="` + mesh + `",pod="a"`: 100},
		"(rate(lib_out{clust": {`cluster_name="` + mesh + `",pod="a"`: 200},
	}
	s, f := openKnown(t, sc, []profile.Profile{istio}, []string{"lib"}, nil)
	r := next(t, s)
	row := targetOf(t, r, "lib", mesh)
	if v := row.Values[collector.Amplification]; v.V != 2 {
		t.Errorf("%+v", v)
	}
	f.asked()
	if list, err := s.Course(t.Context(), row.Target, r.At.Add(-time.Minute), r.At); err != nil || len(list) == 0 {
		t.Errorf("%d readings, %v", len(list), err)
	}
	if list, err := s.Callers(t.Context(), row.Target); err != nil || len(list) != 1 || list[0].Target.Name != "a" {
		t.Errorf("%+v, %v", list, err)
	}
	narrowed := 0
	for _, q := range f.asked() {
		if strings.Contains(q.query, "cluster_name=~") {
			narrowed++
			if !strings.Contains(q.query, `cluster_name=~"outbound\\|9080\\|\\|reviews\\.default\\.svc\\.cluster\\.local"`) {
				t.Errorf("%s", q.query)
			}
		}
	}
	if narrowed < 4 {
		t.Errorf("%d queries were narrowed down", narrowed)
	}
}
