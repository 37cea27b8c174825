package field

import (
	"strings"
	"testing"
	"time"
)

type thing struct {
	wait  time.Duration
	count int
	limit int
	share float64
	rate  float64
	on    bool
	inner struct{ size int }
}

var table = append(Table[thing]{
	DurationOf("wait", "a wait", time.Hour, func(t *thing) *time.Duration { return &t.wait }),
	CountOf("count", "a count", 1, 10, func(t *thing) *int { return &t.count }),
	LimitOf("limit", "a limit", 0, 10, func(t *thing) *int { return &t.limit }),
	ShareOf("share", "a share", func(t *thing) *float64 { return &t.share }),
	RateOf("rate", "a rate", 100, func(t *thing) *float64 { return &t.rate }),
	SwitchOf("on", "a switch", func(t *thing) *bool { return &t.on }),
}, Below("inner.", Table[struct{ size int }]{
	CountOf("size", "a size", 0, 5, func(i *struct{ size int }) *int { return &i.size }),
}, func(t *thing) *struct{ size int } { return &t.inner })...)

func TestFieldsAreReadAndShown(t *testing.T) {
	for _, test := range []struct{ name, text, shown string }{
		{"wait", "90s", "1m30s"}, {"wait", " 300ms ", "300ms"}, {"count", "7", "7"}, {"limit", "unlimited", "unlimited"}, {"limit", "0", "0"},
		{"share", "12.5%", "0.125"}, {"share", "1", "1"}, {"rate", "99.5/s", "99.5/s"}, {"on", "true", "on"}, {"on", "off", "off"},
		{"inner.size", "5", "5"},
	} {
		f, err := table.Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		var x thing
		if err := f.Set(&x, test.text); err != nil || f.Get(&x) != test.shown {
			t.Errorf("%s = %q shows %q, %v, want %q", test.name, test.text, f.Get(&x), err, test.shown)
		}
	}
}

func TestARefusedValueChangesNothing(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"wait", "-1s", "negative"}, {"wait", "2h", "too long"}, {"wait", "5", "no unit"}, {"count", "0", "1 to 10"}, {"count", "1e1", "1 to 10"},
		{"limit", "-1", "unlimited"}, {"share", "NaN", "0 to 1"}, {"share", "101%", "0 to 1"}, {"rate", "5", "0/s to 100/s"},
		{"rate", "+Inf/s", "0/s to 100/s"}, {"on", "1", "on or off"}, {"inner.size", "6", "0 to 5"},
	} {
		f, err := table.Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		x := thing{wait: 1, count: 2, limit: 3, share: 0.4, rate: 5, on: true}
		before := x
		if err := f.Set(&x, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %q: %v, want %q", test.name, test.text, err, test.want)
		}
		if x != before {
			t.Errorf("%s = %q changed it", test.name, test.text)
		}
	}
}

func TestWhatIsOutOfRangeIsFound(t *testing.T) {
	x := thing{wait: -1, count: 11, limit: -2, share: 2, rate: -1}
	x.inner.size = 9
	for _, f := range table {
		if err := f.Check(&x); (err == nil) != (f.Name == "on") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if x.count != 11 {
		t.Error("a check changed the value")
	}
}

func TestNumbersGoGradually(t *testing.T) {
	x := thing{limit: NoLimit}
	for name, want := range map[string]string{"wait": "3ns", "count": "3", "limit": "3", "share": "2.6", "rate": "2.6/s", "inner.size": "3"} {
		f, err := table.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		_, numeric := f.Float(&x)
		if numeric != (name != "limit") {
			t.Errorf("%s is a number: %v", name, numeric)
		}
		if !f.SetFloat(&x, 2.6) || f.Get(&x) != want {
			t.Errorf("%s at 2.6 shows %q, want %q", name, f.Get(&x), want)
		}
	}
	f, err := table.Find("on")
	if err != nil {
		t.Fatal(err)
	}
	if f.SetFloat(&x, 1) {
		t.Error("a switch goes gradually")
	}
	if _, err := table.Find("speed"); err == nil || !strings.Contains(err.Error(), "count, inner.size, limit") {
		t.Errorf("a field that is none: %v", err)
	}
}
