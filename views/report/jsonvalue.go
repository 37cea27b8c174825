package report

import (
	"math"
	"time"

	"stormtop/collector"
)

// jsonSignals are the signals of the formats, in the order they are written.
type jsonSignals struct {
	Ingress       jsonValue `json:"ingress"`
	Downstream    jsonValue `json:"downstream"`
	Amplification jsonValue `json:"amplification"`
	RetryRate     jsonValue `json:"retry_rate"`
	RescuedShare  jsonValue `json:"rescued_share"`
	AtLimit       jsonValue `json:"at_limit"`
	PoolWait      jsonValue `json:"pool_wait"`
	QueueDepth    jsonValue `json:"queue_depth"`
	Delivered     jsonValue `json:"delivered"`

	Arrived  *jsonValue `json:"arrived,omitempty"`
	Overflow *jsonValue `json:"overflow,omitempty"`
}

// jsonValue is a value: null where it is not a finite number, and the state says why.
type jsonValue struct {
	Value *float64 `json:"value"`
	State string   `json:"state"`
	Unit  string   `json:"unit"`
	Trust *string  `json:"trust"`
}

func newSignals(v collector.Values) jsonSignals {
	of := func(s collector.Signal) jsonValue { return newValue(v[s], s) }
	rare := func(s collector.Signal) *jsonValue {
		if v[s].State == collector.Missing {
			return nil
		}
		out := of(s)
		return &out
	}
	return jsonSignals{
		Ingress: of(collector.Ingress), Downstream: of(collector.Downstream),
		Amplification: of(collector.Amplification), RetryRate: of(collector.RetryRate),
		RescuedShare: of(collector.RescuedShare), AtLimit: of(collector.AtLimit),
		PoolWait: of(collector.PoolWait), QueueDepth: of(collector.QueueDepth), Delivered: of(collector.Delivered),
		Arrived: rare(collector.Arrived), Overflow: rare(collector.Overflow),
	}
}

func newValue(v collector.Value, s collector.Signal) jsonValue {
	if f, ok := v.Number(); ok && finite(f) == nil { // no source should; JSON must not
		v = collector.Num(f, v.Unit, v.Trust)
	}
	if v.Unit == collector.NoUnit {
		v.Unit = s.Unit()
	}
	out := jsonValue{State: v.State.String(), Unit: v.Unit.String()}
	if v.State.HasNumber() {
		out.Value = &v.V
	}
	if v.Trust != collector.NoTrust {
		out.Trust = text(v.Trust.String())
	}
	return out
}

func finite(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// instant is a time in RFC 3339 and UTC, null when it is zero.
func instant(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return text(t.UTC().Format(time.RFC3339Nano))
}

func text(s string) *string { return &s }
