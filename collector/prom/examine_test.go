package prom

import (
	"slices"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// seen makes the facts of a side of the profile lib.
func seen(sc script, metric string, facts map[string]float64) script {
	v := vector{}
	for name, n := range facts {
		v[`stormtop_fact="`+name+`"`] = n
	}
	sc[`label_replace(count(lib_`+metric] = v
	return sc
}

func libScript() script {
	return script{
		"(rate(lib_in[":  {`service="pay"`: 100},
		"(rate(lib_out[": {`service="pay"`: 200},
	}
}

// TestAPairOfServersCountsOnce is case A1: two Prometheus servers that scrape
// the same targets, seen through one API.
func TestAPairOfServersCountsOnce(t *testing.T) {
	twice := map[string]float64{"series": 8, "single": 4, "jobs": 8, "values prometheus_replica": 2}
	once := map[string]float64{"series": 4, "single": 4, "jobs": 4}
	for name, c := range map[string]struct {
		in, out map[string]float64
		ratio   string
	}{
		"both sides":   {twice, twice, ""},
		"one side":     {once, twice, "2.00x"},
		"the other":    {twice, once, "2.00x"},
		"none of them": {once, once, ""},
	} {
		t.Run(name, func(t *testing.T) {
			sc := seen(seen(libScript(), "in", c.in), "out", c.out)
			s, f := openKnown(t, sc, []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
			sc["max without (prometheus_replica) (rate(lib_in["] = vector{`service="pay"`: 100}
			sc["max without (prometheus_replica) (rate(lib_out["] = vector{`service="pay"`: 100}
			r := next(t, s)
			collapsed := name != "none of them"
			if got := value(t, r, "pay", collector.Amplification).V == 1; got != collapsed {
				t.Errorf("%+v", value(t, r, "pay", collector.Amplification))
			}
			if warned(r, "prometheus_replica has several values on the same series: each counts once") != collapsed {
				t.Errorf("%v", r.Warnings)
			}
			if c.ratio != "" && !warned(r, "the ratio would read "+c.ratio+" too much, since only one side is there twice") {
				t.Errorf("%v", r.Warnings)
			}
			for _, q := range f.asked() {
				if strings.HasPrefix(q.query, "sum by") && strings.Contains(q.query, "max without (prometheus_replica)") != collapsed {
					t.Errorf("%s", q.query)
				}
			}
		})
	}
}

// TestAReplicaOfADatabaseIsNoCopy: the label has several values, on series that
// differ in others as well.
func TestAReplicaOfADatabaseIsNoCopy(t *testing.T) {
	facts := map[string]float64{"series": 8, "single": 8, "jobs": 8, "values replica": 3}
	s, _ := openKnown(t, seen(seen(libScript(), "in", facts), "out", facts), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	if r := next(t, s); warned(r, "replica") || value(t, r, "pay", collector.Amplification).V != 2 {
		t.Errorf("%v", r.Warnings)
	}
}

func TestTwoJobsOnOneInstanceAreNamed(t *testing.T) {
	facts := map[string]float64{"series": 8, "single": 8, "jobs": 4}
	s, _ := openKnown(t, seen(libScript(), "out", facts), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	if r := next(t, s); !warned(r, "attempts: two jobs scrape the same instances") {
		t.Errorf("%v", r.Warnings)
	}
}

func TestClustersAreToldApart(t *testing.T) {
	facts := map[string]float64{"series": 8, "single": 8, "jobs": 8, "values cluster": 2, "values region": 1}
	sc := seen(seen(script{
		"sum by (service, cluster) (rate(lib_in[":  {`service="pay",cluster="eu"`: 100, `service="pay",cluster="us"`: 100},
		"sum by (service, cluster) (rate(lib_out[": {`service="pay",cluster="eu"`: 250, `service="pay",cluster="us"`: 100},
	}, "in", facts), "out", facts)
	s, _ := openKnown(t, sc, []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	r := next(t, s)
	if got := names(r); !slices.Equal(got, []string{"eu/pay", "us/pay"}) || r.Origin.Grouping != collector.ByService ||
		!slices.Contains(r.Origin.Groupings, collector.ByCluster) {
		t.Fatalf("%v %v", got, r.Origin.Groupings)
	}
	own, _ := openKnown(t, sc, []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, func(c *Config) { c.By = []string{"service"} })
	sc["sum by (service) (rate(lib_in["] = vector{`service="pay"`: 200}
	if got := names(next(t, own)); !slices.Equal(got, []string{"pay"}) {
		t.Errorf("what was asked for by name wins: %v", got)
	}
}

// TestSeriesWithoutTheLabelAreReported is case E10: one metric with two label sets.
func TestSeriesWithoutTheLabelAreReported(t *testing.T) {
	facts := map[string]float64{"series": 8, "single": 8, "jobs": 8, "without service": 3}
	s, _ := openKnown(t, seen(libScript(), "out", facts), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"}, nil)
	if r := next(t, s); !warned(r, "3 series have no label service: they stand together under an empty name") {
		t.Errorf("%v", r.Warnings)
	}
}
