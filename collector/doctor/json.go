package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"stormtop/collector"
)

// Schema is the name and version of the report as JSON (docs/doctor.md).
const Schema = "stormtop/doctor/v1"

// JSON writes the report as one indented JSON object. It holds no NaN and no
// infinity: what is no finite number is null. The error is that of w.
func (r Report) JSON(w io.Writer) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // queries are to be read and pasted
	enc.SetIndent("", "  ")
	if err := enc.Encode(newJSON(r)); err != nil {
		return fmt.Errorf("writing the doctor's report as JSON: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func newJSON(r Report) jsonReport {
	out := jsonReport{
		Schema: Schema, Server: r.Server, Tenant: text(r.Tenant), At: instant(r.At), Thanos: r.Thanos,
		Verdict: verdict(r), Exit: r.ExitStatus(), Gaps: r.Gaps(), Findings: newFindings(r.Findings), Systems: []jsonSystem{},
		Poll: jsonPoll{newCost(r.Poll.Cost), duration(r.Poll.Interval), math.Round(r.Poll.Share()*1e6) / 1e6}, Cost: newCost(r.Cost),
	}
	if r.DriftSeen {
		out.Drift = text(r.Drift.String())
	}
	for _, s := range r.Systems {
		out.Systems = append(out.Systems, newJSONSystem(s))
	}
	return out
}

func verdict(r Report) string {
	return [...]string{ExitComplete: "complete", ExitGaps: "gaps", ExitUsage: "", ExitNoData: "no_data"}[r.ExitStatus()]
}

func newJSONSystem(s System) jsonSystem {
	out := jsonSystem{
		Profile: s.Profile, Title: s.Title, Use: s.Use.String(), SupersededBy: text(s.By), Evidence: finite(s.Evidence),
		Kind: word(kindNames[:], s.Kind), Trust: s.Trust.String(), Unproven: s.Unproven, CannotSee: s.CannotSee,
		Grouping: list(s.Grouping), RateRange: duration(s.Rate), LeastRateRange: duration(s.Least),
		Sides: []jsonSide{}, Signals: []jsonSignal{}, Findings: newFindings(s.Findings),
	}
	for _, side := range s.Sides {
		out.Sides = append(out.Sides, jsonSide{
			Side: side.Name, Selector: collector.Clean(side.Selector), Series: side.Series, Reporters: side.Reporters, Usual: side.Usual,
			Spacing: duration(side.Spacing), ReplicaLabels: list(side.Replicas), Times: finite(max(side.Doubled, 1)),
			JobTimes: finite(max(side.Jobs, 1)), Newest: instant(side.Newest),
		})
	}
	for _, x := range s.Signals {
		out.Signals = append(out.Signals, newJSONSignal(x))
	}
	return out
}

func newJSONSignal(x Signal) jsonSignal {
	out := jsonSignal{
		Signal: x.Signal.String(), Level: x.Level.String(), State: x.State.String(), Query: text(x.Query),
		Targets: x.Targets, Cost: newCost(x.Cost), Text: text(x.Text), Remedy: text(x.Remedy),
	}
	if x.State == Present || x.State == Idle {
		out.Unit = text(x.Value.Unit.String())
	}
	if v, ok := x.Value.Float(); ok {
		out.Value = finite(v)
	}
	return out
}

func newFindings(findings []Finding) []jsonFinding {
	out := []jsonFinding{}
	for _, f := range findings {
		out = append(out, jsonFinding{f.Level.String(), f.Topic, f.Text, text(f.Remedy)})
	}
	return out
}

func newCost(c collector.Cost) jsonCost { return jsonCost{c.Queries, c.Bytes, c.Took.String()} }

var kindNames = [...]string{collector.NoRatioKind: "none", collector.Hop: "hop", collector.Edge: "edge"}

// word is the name of an enumeration's value, "" of one that has none.
func word[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return ""
}

// list is never null, and safe for a terminal.
func list(words []string) []string {
	out := []string{}
	for _, w := range words {
		out = append(out, collector.Clean(w))
	}
	return out
}

// text is null where there is none.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// duration is null where none is known.
func duration(d time.Duration) *string {
	if d == 0 {
		return nil
	}
	return text(d.String())
}

// instant is null where it is not known.
func instant(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return text(t.UTC().Format(time.RFC3339Nano))
}

// finite is null for what is no finite number.
func finite(f float64) *float64 {
	if f-f != 0 { // NaN and the infinities
		return nil
	}
	return &f
}
