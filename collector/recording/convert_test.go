package recording

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestCSVSaysWhatIsKnownOfEveryValue(t *testing.T) {
	odd := row("a", 0, 5)
	odd.Target = collector.NewTarget(collector.Hop, collector.Label{Name: "s", Value: "pay,\"ments\"\n"}).In("envoy")
	odd.Values[collector.PoolWait] = collector.Value{State: collector.Failed, Unit: collector.Seconds, Trust: collector.Heuristic}
	var out bytes.Buffer
	rec := tape(t, "1")
	readings := func(yield func(*collector.Reading) bool) {
		for r := range rec.Readings() {
			r.Targets = append(r.Targets, odd)
			yield(r)
		}
	}
	if err := WriteCSV(&out, readings); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range records {
		got = append(got, strings.Join(r, "|"))
	}
	const at, odder = "2031-05-06T12:00:01Z", "|pay,\"ments\"\uFFFD|envoy|"
	want := []string{
		"time|target|system|signal|value|state|unit|trust",
		at + "|||ingress|1|ok|per_second|exact",
		at + "|||downstream|2|ok|per_second|exact",
		at + "|||amplification|2|ok|ratio|exact",
		at + "|||retry_rate|0.5|ok|fraction|approx",
		at + "||", // and so on: the rows of a
		at + odder + "ingress|0|ok|per_second|exact",
		at + odder + "downstream|5|ok|per_second|exact",
		at + odder + "pool_wait||failed|seconds|heuristic",
		at + odder + "amplification||infinite|ratio|exact",
	}
	text := strings.Join(got, "\n")
	for _, w := range want {
		if !strings.Contains(text+"\n", w) {
			t.Errorf("%q is not in\n%s", w, text)
		}
	}
	if strings.Contains(text, "missing") {
		t.Errorf("signals of which nothing is known:\n%s", text)
	}
}

func TestOpenMetricsEndsWhatIsNotKnown(t *testing.T) {
	rec := tape(t, "1 2 9 10")
	broken := rec.frames[3]
	broken.numbers, broken.states = append([]float64{}, broken.numbers...), make([]collector.State, 4)
	for i := range broken.states {
		broken.states[i] = collector.Failed
	}
	rec.frames[3] = broken
	var out bytes.Buffer
	if err := WriteOpenMetrics(&out, rec); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, `stormtop_signal{signal="downstream",target="a",kind="hop",service="a"} `) {
			got = append(got, strings.TrimSuffix(line[strings.LastIndex(line, "}")+2:], "\n"))
		}
	}
	at := func(s int) string { return fmt.Sprint(noon.Unix() + int64(s)) }
	want := []string{"2 " + at(1), "2 " + at(2), "NaN " + at(2) + ".001", "2 " + at(9), "NaN " + at(9) + ".001"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("samples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.HasSuffix(out.String(), "\n# EOF\n") || strings.Count(out.String(), "# EOF") != 1 {
		t.Error("no end")
	}
}

func TestEverySeriesHasLabelsOfItsOwn(t *testing.T) {
	label := func(list ...string) (out []collector.Label) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, collector.Label{Name: list[i], Value: list[i+1]})
		}
		return out
	}
	m := &metricsWriter{used: map[string]bool{}}
	for _, test := range []struct {
		target collector.Target
		want   string
	}{
		{collector.Target{}, `target=""`},
		{collector.NewTarget(collector.Hop, label("service", "a")...), `target="a",kind="hop",service="a"`},
		{collector.NewTarget(collector.Hop, label("service", "a")...).In("envoy"), `target="a",system="envoy",kind="hop",service="a"`},
		{collector.NewTarget(collector.Hop, label("service", "a", "x", "")...).In("envoy"), `target="a",system="envoy",kind="hop",service="a",again="2"`},
		{collector.NewTarget(collector.NoRatioKind, label("target", "b", "a.b", "c\\\"\n", "a_b", "\xff", "9", "d", "__name__", "e")...),
			`target="d/e/c\\\"` + "\uFFFD/\uFFFD/b" + `",_="d",label__name__="e",a_b="c\\\"\n",exported_a_b="` + "\uFFFD" + `",exported_target="b"`},
	} {
		if got, want := m.series(collector.Ingress, &test.target), `stormtop_signal{signal="ingress",`+test.want+"}"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestTimesSurviveBeingCutToMilliseconds(t *testing.T) {
	for ms := int64(1_785_000_000_000); ms < 1_785_000_010_000; ms++ {
		text := string(appendMillis(nil, ms))
		var f float64
		fmt.Sscan(text, &f)
		if int64(f*1000) != ms {
			t.Fatalf("%d became %s, which is cut to %d", ms, text, int64(f*1000))
		}
	}
	if got := string(appendMillis(nil, -1500)); got != "-1.500" {
		t.Error(got)
	}
}

func TestAConversionReportsAFullDisk(t *testing.T) {
	rec := tape(t, "1 2")
	full := failing{errors.New("no space")}
	if err := WriteOpenMetrics(full, rec); !errors.Is(err, full.err) {
		t.Error(err)
	}
	if err := WriteCSV(full, rec.Readings()); !errors.Is(err, full.err) {
		t.Error(err)
	}
}

// TestManyTargetsAreWrittenInGroups makes sure that groups of targets do not
// lose any of them.
func TestManyTargetsAreWrittenInGroups(t *testing.T) {
	rec := &Recording{}
	p := &packer{}
	for i := range 3 {
		r := crowd(7, i)
		if i == 1 {
			r.Targets = r.Targets[2:]
		}
		r.Origin = &collector.Origin{Interval: 5 * time.Second}
		rec.frames = append(rec.frames, p.pack(r).clone(nil))
	}
	ids := rec.targets()
	whole := rec.traces(ids)
	if len(ids) != 8 || ids[0] != collector.TotalID {
		t.Fatalf("targets %q", ids)
	}
	for i, id := range ids {
		one := rec.traces([]string{id})[0]
		if fmt.Sprint(one) != fmt.Sprint(whole[i]) {
			t.Errorf("%q alone: %v, want %v", id, one, whole[i])
		}
	}
}
