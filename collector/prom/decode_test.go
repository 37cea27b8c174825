package prom

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stormtop/collector"
)

// flat is an answer in a form that tests can write down.
type flat struct {
	OK         bool
	Type, Err  string
	Series     []string // "a=b c=d: 1000=1 2000=NaN"
	Warnings   []string
	Histograms int
}

func flatten(a *answer) flat {
	out := flat{OK: a.ok, Type: a.resultType, Warnings: a.warnings, Histograms: a.histograms}
	if a.errorType+a.errorText != "" {
		out.Err = a.errorType + ": " + a.errorText
	}
	for _, s := range a.series {
		var parts []string
		for _, l := range s.labels.labels {
			parts = append(parts, l.Name+"="+l.Value)
		}
		line := strings.Join(parts, " ") + ":"
		for _, p := range a.points[s.start:s.end] {
			line += fmt.Sprintf(" %d=%v", p.t, p.v)
		}
		out.Series = append(out.Series, line)
	}
	return out
}

func TestDecode(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want flat
	}{
		"vector": {
			`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up","b":"2","a":"1"},"value":[1700000000.123,"1.5"]},{"metric":{},"value":[1700000000,"-0"]}]}}`,
			flat{OK: true, Type: "vector", Series: []string{"__name__=up a=1 b=2: 1700000000123=1.5", ": 1700000000000=-0"}},
		},
		"odd numbers": {
			`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"NaN"]},{"metric":{"a":"1"},"value":[1.5,"+Inf"]},{"metric":{"a":"2"},"value":[1.7e9,"-Inf"]},{"metric":{"a":"3"},"value":[0.0015,"1e400"]}]}}`,
			flat{OK: true, Type: "vector", Series: []string{": 1000=NaN", "a=1: 1500=+Inf", "a=2: 1700000000000=-Inf", "a=3: 1=+Inf"}},
		},
		"keys in another order, unknown ones, white space": {
			" {\n\"x\":{\"y\":[1,true,null,{\"z\":\"}\"}]},\"data\" : { \"result\" : [ { \"value\" : [ 1 , \"2\" ] , \"metric\" : { \"a\" : \"b\" } , \"q\":-1.5e3 } ] , \"stats\":{}, \"resultType\" : \"vector\" } , \"status\" : \"success\" }\n ",
			flat{OK: true, Type: "vector", Series: []string{"a=b: 1000=2"}},
		},
		"scalar": {`{"status":"success","data":{"resultType":"scalar","result":[1700000000.5,"3"]}}`, flat{OK: true, Type: "scalar", Series: []string{": 1700000000500=3"}}},
		"matrix": {
			`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[[1,"1"],[2,"NaN"]]},{"metric":{"a":"c"},"values":[]}]}}`,
			flat{OK: true, Type: "matrix", Series: []string{"a=b: 1000=1 2000=NaN"}},
		},
		"native histograms are ignored": {
			`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"histogram":[1,{"count":"2","sum":"3","buckets":[[0,"1","2","3"]]}]},{"metric":{"a":"c"},"value":[1,"1"]}]}}`,
			flat{OK: true, Type: "vector", Series: []string{"a=c: 1000=1"}, Histograms: 1},
		},
		"escapes and other alphabets": {
			`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx","é":"日本"},"value":[1,"1"]}]}}`,
			flat{OK: true, Type: "vector", Series: []string{"a=\"\\/\b\f\n\r\té😀\ufffdx é=日本: 1000=1"}},
		},
		"bytes that are no UTF-8 stay": {
			"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"a\":\"\xff\"},\"value\":[1,\"1\"]}]}}",
			flat{OK: true, Type: "vector", Series: []string{"a=\xff: 1000=1"}},
		},
		"error":    {`{"status":"error","errorType":"bad_data","error":"1:2: parse\n error"}`, flat{Err: "bad_data: 1:2: parse\ufffd error"}},
		"warnings": {`{"status":"success","warnings":["a","b\u0007"],"infos":["c"],"data":{"resultType":"vector","result":[]}}`, flat{OK: true, Type: "vector", Warnings: []string{"a", "b\ufffd"}}},
		"nulls":    {`{"status":"success","warnings":null,"error":null,"data":{"resultType":"vector","result":null}}`, flat{OK: true, Type: "vector"}},
		"no data":  {`{"status":"success","data":null}`, flat{OK: true}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
				got, err := decode(r, newInterner(), limits{points: 100})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, flatten(got), cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	var syntax *syntaxError
	deep := `{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `,"status":"success"}`
	for name, in := range map[string]string{
		"empty object": `{}`, "no object": `[]`, "text": `hello`, "text behind": `{"status":"success"}x`,
		"status of another kind": `{"status":"maybe"}`, "deep nesting": deep, "wrong bracket": `{"x":[},"status":"success"}`,
		"trailing comma": `{"status":"success",}`, "missing comma": `{"status":"success" "x":1}`,
		"number without quotes": `{"status":"success","data":{"result":[{"metric":{},"value":[1,2]}]}}`,
		"no number":             `{"status":"success","data":{"result":[{"metric":{},"value":[1,"two"]}]}}`,
		"no time":               `{"status":"success","data":{"result":[{"metric":{},"value":["1","2"]}]}}`,
		"time beyond reason":    `{"status":"success","data":{"result":[{"metric":{},"value":[1e300,"2"]}]}}`,
		"label that is a list":  `{"status":"success","data":{"result":[{"metric":{"a":[]},"value":[1,"2"]}]}}`,
		"label that is no text": `{"status":"success","data":{"result":[{"metric":{"a":1},"value":[1,"2"]}]}}`,
		"labels without colon":  `{"status":"success","data":{"result":[{"metric":{"a" "b"},"value":[1,"2"]}]}}`,
		"control character":     "{\"status\":\"suc\ncess\"}",
		"three in a pair":       `{"status":"success","data":{"result":[{"metric":{},"value":[1,"2",3]}]}}`,
	} {
		if _, err := decode(strings.NewReader(in), newInterner(), limits{points: 100}); !errors.As(err, &syntax) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeTellsACutStreamFromBrokenJSON(t *testing.T) {
	const whole = `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[1700000000.123,"1.5"]}]}}`
	for i := range len(whole) {
		if _, err := decode(strings.NewReader(whole[:i]), newInterner(), limits{points: 100}); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	broken := errors.New("connection reset")
	r := io.MultiReader(strings.NewReader(whole[:40]), iotest.ErrReader(broken))
	if _, err := decode(r, newInterner(), limits{points: 100}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestDecodeKeepsItsLimits(t *testing.T) {
	many := body(200)
	if _, err := decode(strings.NewReader(many), newInterner(), limits{points: 199}); !errors.Is(err, errTooLarge) {
		t.Errorf("points: %v", err)
	}
	long := `{"status":"` + strings.Repeat("x", maxToken+1) + `"}`
	if _, err := decode(strings.NewReader(long), newInterner(), limits{points: 1}); !errors.Is(err, errTooLarge) {
		t.Errorf("token: %v", err)
	}
	if _, err := decode(&cappedReader{r: strings.NewReader(many), left: int64(len(many) - 1)}, newInterner(), limits{points: 1000}); !errors.Is(err, errByteCap) {
		t.Errorf("bytes: %v", err)
	}
	if _, err := decode(&cappedReader{r: strings.NewReader(many), left: int64(len(many))}, newInterner(), limits{points: 1000}); err != nil {
		t.Errorf("exactly at the cap: %v", err)
	}
	notes := `{"status":"success","warnings":[` + strings.Repeat(`"`+strings.Repeat("é", 1000)+`",`, 99) + `"x"]}`
	a, err := decode(strings.NewReader(notes), newInterner(), limits{points: 1})
	if err != nil || len(a.warnings) != maxNotes || len(a.warnings[0]) > maxNoteText+3 {
		t.Errorf("notes: %v", err)
	}
}

func TestInternerSharesAndForgets(t *testing.T) {
	in := newInterner()
	a, _ := in.labels([]byte(`{"a":"b"}`))
	b, _ := in.labels([]byte(`{"a":"b"}`))
	if a != b {
		t.Error("the same text gave two label sets")
	}
	for i := range 1000 {
		in.labels([]byte(`{"a":"` + strings.Repeat("x", 40_000) + strconv.Itoa(i) + `"}`))
		if in.bytes > internedBytes+100_000 {
			t.Fatalf("%d bytes are held", in.bytes)
		}
	}
}

func body(n int) string {
	var b strings.Builder
	b.WriteString(`{"status":"success","data":{"resultType":"vector","result":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"metric":{"service":"payments-%05d"},"value":[1700000000.123,"%v"]}`, i, float64(i)*1.37)
	}
	b.WriteString(`]}}`)
	return b.String()
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{body(3), `{"status":"error","errorType":"x","error":"y"}`, `{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`,
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"\u00e9\ud800"},"values":[[1,"NaN"]],"histograms":[[1,{}]]}]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newInterner()
		a, err := decode(strings.NewReader(string(data)), in, limits{points: 64, hint: 1 << 30})
		slow, slowErr := decode(iotest.OneByteReader(strings.NewReader(string(data))), newInterner(), limits{points: 64})
		if (err == nil) != (slowErr == nil) {
			t.Fatalf("%v read at once, %v byte by byte", err, slowErr)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(flatten(a), flatten(slow)); diff != "" {
			t.Fatal(diff)
		}
		if len(a.points) > 64 || len(a.series) > 64 {
			t.Fatal("the limit was passed")
		}
		for _, s := range a.series {
			if s.start < 0 || s.start >= s.end || s.end > len(a.points) || s.labels == nil {
				t.Fatalf("%+v", s)
			}
		}
		for _, w := range append(a.warnings, a.errorText) {
			if w != collector.Clean(w) {
				t.Fatalf("%q is not clean", w)
			}
		}
	})
}

func TestTimesAreReadToTheMillisecond(t *testing.T) {
	for in, want := range map[string]int64{"0": 0, "1.5": 1500, "1700000000.1234": 1700000000123, "1e3": 1_000_000, "-1": -1000, "1700000000": 1700000000000, ".5": 500, "5.": 5000} {
		if got, ok := parseMillis([]byte(in)); !ok || got != want {
			t.Errorf("%s: %d %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "-", "1e99", "1.2.3", "99999999999999999999"} {
		if got, ok := parseMillis([]byte(in)); ok {
			t.Errorf("%s: %d", in, got)
		}
	}
}

// BenchmarkDecode reads 8 answers of 10,000 series, as one poll of a large
// installation does.
func BenchmarkDecode(b *testing.B) {
	text := body(10_000)
	in := newInterner()
	b.SetBytes(int64(8 * len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for range 8 {
			a, err := decode(strings.NewReader(text), in, limits{points: defaultPoints, hint: 10_000})
			if err != nil || len(a.series) != 10_000 || math.IsNaN(a.points[0].v) {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkAssemble makes a reading of 8 answers of 10,000 series.
func BenchmarkAssemble(b *testing.B) {
	in := newInterner()
	a, err := decode(strings.NewReader(body(10_000)), in, limits{points: defaultPoints})
	if err != nil {
		b.Fatal(err)
	}
	texts := map[collector.Signal]string{}
	for _, s := range collector.Inputs() {
		texts[s] = "x"
	}
	p, err := signalsPlan(Config{Signals: texts, By: []string{"service"}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		sh := newSheet(p, 10_000)
		for _, s := range collector.Inputs() {
			sh.fill(s, a)
		}
		if part, _ := sh.finish(conditions{}); len(part.Rows) != 10_000 {
			b.Fatal(len(part.Rows))
		}
	}
}
