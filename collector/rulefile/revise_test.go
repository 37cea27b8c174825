package rulefile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/collector"
)

// kept is a file that somebody wrote by hand.
const kept = `# Rules of the shop.
# Ask orders@ before you change them.

groups:
  # What customers feel.
  - name: shop
    interval: 30s
    rules:
      - record: shop:p99
        expr: histogram_quantile(0.99, sum by (le) (rate(http_seconds_bucket[5m])))
      # 1.5 s is in the contract.
      - alert: ShopSlow   # pages
        expr: |
          # of all customers
          shop:p99
            > 1.5   # seconds
        for: 5m   # 5m is what the pager wants
        labels: {severity: "critical"}
        annotations:
          summary: 'slow: > 1.5'
  - name: other

    rules:
      - {alert: Odd, expr: "x{a=\"1\"} > 1 > 1", for: 1m}
      - alert: NoFor
        expr: errors > 0.05
`

func parsed(t interface {
	Helper()
	Fatal(...any)
}, text string) *File {
	t.Helper()
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tunedIn makes other numbers of an alert of a file.
func tunedIn(f *File, alert string, threshold float64, wait, keep time.Duration) {
	for _, r := range f.Alerts() {
		if r.Alert == alert {
			*r = Tuned(r, threshold, collector.RuleSpec{For: wait, KeepFiring: keep})
		}
	}
}

func TestWhatIsRevisedKeepsEverythingElseAsItWasWritten(t *testing.T) {
	crlf := strings.ReplaceAll(kept, "\n", "\r\n")
	for _, tt := range []struct {
		name string
		text string
		to   func(*File)
		want [][2]string // what is replaced by what
	}{
		{"nothing", kept, func(*File) {}, nil},
		{"a threshold in a block", kept, func(f *File) { tunedIn(f, "ShopSlow", 2, 5*time.Minute, 0) }, [][2]string{{"            > 1.5   #", "            > 2   #"}}},
		{"for with its comment", kept, func(f *File) { tunedIn(f, "ShopSlow", 1.5, 90*time.Second, 0) }, [][2]string{{"for: 5m   #", "for: 90s   #"}}},
		{"keep that was not there", kept, func(f *File) { tunedIn(f, "ShopSlow", 1.5, 5*time.Minute, time.Minute) }, [][2]string{{"pager wants\n", "pager wants\n        keep_firing_for: 1m\n"}}},
		{"the second of two numbers that are the same", kept, func(f *File) { tunedIn(f, "Odd", 3, time.Minute, 0) }, [][2]string{{`> 1 > 1"`, `> 1 > 3"`}}},
		{"for and keep at the end of the file", kept, func(f *File) { tunedIn(f, "NoFor", 0.1, time.Hour, time.Minute) }, [][2]string{{"errors > 0.05\n", "errors > 0.1\n        for: 1h\n        keep_firing_for: 1m\n"}}},
		{"for at an end without a line's end", strings.TrimSuffix(kept, "\n"), func(f *File) { tunedIn(f, "NoFor", 0.05, time.Hour, 0) }, [][2]string{{"errors > 0.05", "errors > 0.05\n        for: 1h\n"}}},
		{"lines with a carriage return", crlf, func(f *File) { tunedIn(f, "ShopSlow", 2, time.Minute, 0) }, [][2]string{{"> 1.5   #", "> 2   #"}, {"for: 5m", "for: 1m"}}},
		{"a group that goes", kept, func(f *File) { f.Groups = f.Groups[1:] }, [][2]string{{kept[strings.Index(kept, "  - name: shop"):strings.Index(kept, "  - name: other")], ""}}},
		{"a group that comes between", kept, func(f *File) {
			f.Groups = []Group{f.Groups[0], {Name: "new", Rules: []Rule{{Record: "a:b", Expr: "c"}}}, f.Groups[1]}
		}, [][2]string{{"  - name: other", "  - name: new\n    rules:\n    - record: a:b\n      expr: c\n  - name: other"}}},
		{"a comment that grows", kept, func(f *File) { f.Comment = append(f.Comment, "Evidence: none.") }, [][2]string{{"change them.\n", "change them.\n# Evidence: none.\n"}}},
		{"a comment where none was", "groups:\n- name: a\n  rules:\n  - {record: b, expr: c}\n", func(f *File) { f.Comment = []string{"Hello."} }, [][2]string{{"groups:", "# Hello.\ngroups:"}}},
		{"a wrapped file", "kind: PrometheusRule\nspec:\n  groups:\n  - name: a\n    rules:\n    - alert: B\n      expr: c > 1\nstatus: {} # kept\n", func(f *File) {
			tunedIn(f, "B", 2, time.Minute, 0)
			f.Groups = append(f.Groups, Group{Name: "z", Rules: []Rule{{Record: "b", Expr: "c"}}})
		}, [][2]string{{"c > 1\n", "c > 2\n      for: 1m\n  - name: z\n    rules:\n    - record: b\n      expr: c\n"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := parsed(t, tt.text)
			tt.to(f)
			got, ok := Revise([]byte(tt.text), f)
			want := tt.text
			for _, r := range tt.want {
				if !strings.Contains(want, r[0]) {
					t.Fatalf("%q is not in the file", r[0])
				}
				want = strings.Replace(want, r[0], r[1], 1)
			}
			if diff := cmp.Diff(want, string(got)); !ok || diff != "" {
				t.Errorf("%v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

func TestWhatCannotBeRevisedInPlaceIsToldSo(t *testing.T) {
	one := &File{Groups: []Group{{Name: "a", Rules: []Rule{{Record: "b", Expr: "d"}}}}}
	for name, text := range map[string]string{
		"no rule file":                "a: [",
		"no groups":                   "groups: []\n",
		"other ends of lines":         "groups:\n- name: a\r  rules:\n  - {record: b, expr: c}\n",
		"in one line":                 "groups: [{name: a, rules: [{record: b, expr: c}]}]\n",
		"parts that stand for others": "groups:\n- name: a\n  rules: &r\n  - {record: b, expr: c}\n- name: b\n  rules: *r\n",
	} {
		if out, ok := Revise([]byte(text), one); ok {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out, ok := Revise([]byte(kept), &File{}); ok {
		t.Errorf("no groups are wanted: %s", out)
	}
	f := parsed(t, kept)
	f.Groups[0], f.Groups[1] = f.Groups[1], f.Groups[0]
	if out, ok := Revise([]byte(kept), f); ok {
		t.Errorf("in another order: %s", out)
	}
}

// TestARevisedFileHoldsWhatWasWanted whatever is changed of whatever layout.
func TestARevisedFileHoldsWhatWasWanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		lead := rapid.SampledFrom([]string{"", "  "}).Draw(t, "lead")
		b.WriteString(rapid.SampledFrom([]string{"", "# a\n#b\n", "---\n", "# x\n\n# y\n"}).Draw(t, "head") + "groups:\n")
		for g := range rapid.IntRange(1, 3).Draw(t, "groups") {
			fmt.Fprintf(&b, "%s- name: g%d\n%s  rules:\n", lead, g, lead)
			for r := range rapid.IntRange(1, 3).Draw(t, "rules") {
				pad := lead + "    "
				b.WriteString(rapid.SampledFrom([]string{"", "\n", lead + "  # why 1?\n", "# far left\n"}).Draw(t, "between"))
				expr := rapid.SampledFrom([]string{"a > 1", `"a > 1"`, "'1 < sum(a)'", "|\n" + pad + "  a\n" + pad + "  > 1", ">-\n" + pad + "  a\n" + pad + "  > 1", "a and b", "'a:b{c=\"1\"} >= 0.5'", "(a) > (-1) # five"}).Draw(t, "expr")
				fields := []string{"alert: A" + fmt.Sprint(r), "expr: " + expr}
				if rapid.Bool().Draw(t, "for") {
					fields = append(fields, rapid.SampledFrom([]string{"for: 1m", "for: '90s' # x", "for: 1h30m"}).Draw(t, "wait"))
				}
				if rapid.Bool().Draw(t, "labels") {
					fields = append(fields, "labels:\n"+pad+"  severity: info")
				}
				fields = rapid.Permutation(fields).Draw(t, "order")
				fmt.Fprintf(&b, "%s  - %s\n", lead, strings.Join(fields, "\n"+pad))
			}
		}
		text := b.String()
		is, to := parsed(t, text), parsed(t, text)
		if got, ok := Revise([]byte(text), is); !ok || string(got) != text {
			t.Fatalf("nothing was to change (%v):\n%s\n---\n%s", ok, text, got)
		}
		for _, r := range to.Alerts() {
			if rapid.Bool().Draw(t, "tune") {
				*r = Tuned(r, rapid.SampledFrom([]float64{1, -3, 2.5, 1e-5, 500}).Draw(t, "threshold"), collector.RuleSpec{
					For: rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour}).Draw(t, "for"), KeepFiring: rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(t, "keep"),
				})
			}
		}
		if rapid.Bool().Draw(t, "more") {
			to.Groups = append(to.Groups, Group{Name: "more", Rules: []Rule{{Record: "m", Expr: "n"}}})
		}
		got, ok := Revise([]byte(text), to)
		if !ok {
			t.Fatalf("it cannot be revised:\n%s", text)
		}
		if f := parsed(t, string(got)); !sameFile(f, to) {
			t.Fatalf("it is another file:\n%s\n---\n%s", text, got)
		}
		if strings.Count(string(got), "#") < strings.Count(text, "#") {
			t.Fatalf("comments are lost:\n%s\n---\n%s", text, got)
		}
	})
}

// FuzzRevise: what is to stay the same stays so to the byte, and what is to
// change is read back as it was wanted; nothing panics.
func FuzzRevise(f *testing.F) {
	f.Add(kept, 2.0)
	f.Add("groups:\n- name: a\n  rules:\n  - {alert: B, expr: c > 1}\n", 1e-5)
	f.Add("groups:\n- name: a\n  rules:\n  - {alert: B, expr:\n c >-  1}\n", 342.5)
	f.Add("groups:\n- name: a\r  rules:\n  - {alert: B, expr: c > 1}\n", -4.0)
	f.Add("kind: PrometheusRule\nspec:\n  groups:\n  - name: a\n    rules:\n    - alert: B\n      expr: |\n        1\n        < c\n", -3.0)
	f.Fuzz(func(t *testing.T, text string, threshold float64) {
		is, err := Parse([]byte(text))
		if err != nil {
			return
		}
		if out, ok := Revise([]byte(text), is); ok && string(out) != text {
			t.Fatalf("%q became %q", text, out)
		}
		for _, r := range is.Alerts() {
			*r = Tuned(r, threshold, collector.RuleSpec{For: time.Minute})
		}
		out, ok := Revise([]byte(text), is)
		if !ok {
			return
		}
		if got, err := Parse(out); err != nil || !sameFile(got, is) {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
	})
}
