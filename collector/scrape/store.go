package scrape

import (
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector/scrape/eval"
)

// store keeps what the endpoints expose: of the series that rates are taken of,
// the points of the rate range, of all others the newest point. It implements
// eval.Data.
type store struct {
	most       int // series that are kept
	byKey      map[string]*held
	byName     map[string][]*held
	byEndpoint [][]*held
	generation int // changes when series come or go
	scrapes    int // counts the calls of put
	refused    int // series that were not kept since the last look

	ranges []*eval.Selector // of which points are kept
	found  map[*eval.Selector]finding
	key    []byte
	build  labels.ScratchBuilder
}

// held is one series of one endpoint.
type held struct {
	eval.Series
	key      string
	endpoint int
	keep     time.Duration // how far back points are needed; 0: only the newest
	scrape   int           // the scrape that had it last
	stamped  bool          // the endpoint gives its times
	gauge    bool          // declared as one
	gone     bool          // not in the store any more
}

// finding is what a selector found, as long as no series comes or goes.
type finding struct {
	generation int
	held       []*held
	list       []*eval.Series
}

// tooFarAhead is how far in the future a time that an endpoint gives may be.
const tooFarAhead = 10 * time.Minute

func newStore(endpoints, most int) *store {
	return &store{most: most, byKey: map[string]*held{}, byName: map[string][]*held{},
		byEndpoint: make([][]*held, endpoints), found: map[*eval.Selector]finding{}}
}

// put takes in what an endpoint exposed. A series that it had before and has no
// more has ended.
func (st *store) put(endpoint int, instance string, at int64, list families) {
	st.scrapes++
	for _, mf := range list {
		for _, m := range mf.GetMetric() {
			st.putMetric(endpoint, instance, at, mf, m)
		}
	}
	st.sweep(endpoint, at)
}

func (st *store) putMetric(endpoint int, instance string, at int64, mf *dto.MetricFamily, m *dto.Metric) {
	byName := func(a, b *dto.LabelPair) int { return strings.Compare(a.GetName(), b.GetName()) }
	if !slices.IsSortedFunc(m.Label, byName) {
		slices.SortFunc(m.Label, byName)
	}
	t, stamped := at, m.TimestampMs != nil
	if stamped {
		if t = m.GetTimestampMs(); t > at+tooFarAhead.Milliseconds() {
			return
		}
	}
	st.key = append(st.key[:0], byte(endpoint), byte(endpoint>>8))
	for _, l := range m.Label {
		st.key = append(append(st.key, l.GetName()...), 0xff)
		st.key = append(append(st.key, l.GetValue()...), 0xff)
	}
	common := len(st.key)
	each(mf, m, func(s sample) bool {
		st.key = append(append(st.key[:common], s.extra[1]...), 0xff)
		st.key = append(st.key, s.name...)
		h := st.byKey[string(st.key)]
		if h == nil {
			if len(st.byKey) >= st.most {
				st.refused++
				return true
			}
			if h = st.add(endpoint, instance, m.Label, s); h == nil {
				return true
			}
			h.gauge = m.Gauge != nil
		}
		h.scrape, h.stamped, h.Ended = st.scrapes, stamped, false
		h.append(eval.Point{T: t, V: s.v}, at)
		return true
	})
}

// add makes a new series under st.key; nil when its labels contradict themselves.
func (st *store) add(endpoint int, instance string, pairs []*dto.LabelPair, s sample) *held {
	b := &st.build
	b.Reset()
	b.Add(model.MetricNameLabel, s.name)
	own := map[string]bool{model.MetricNameLabel: true}
	put := func(name, value string) {
		if value != "" && !own[name] {
			b.Add(name, value)
			own[name] = true
		}
	}
	if s.extra[0] != "" {
		put(s.extra[0], s.extra[1])
	}
	for _, l := range pairs {
		put(l.GetName(), l.GetValue())
	}
	put("instance", instance)
	put("job", "scrape")
	b.Sort()
	h := &held{key: string(st.key), endpoint: endpoint}
	h.Labels = b.Labels()
	h.keep = st.need(h.Labels)
	st.byKey[h.key] = h
	st.byName[s.name] = append(st.byName[s.name], h)
	st.byEndpoint[endpoint] = append(st.byEndpoint[endpoint], h)
	st.generation++
	return h
}

// append adds a point that is newer than the newest and forgets what is not
// needed any more.
func (h *held) append(p eval.Point, at int64) {
	if n := len(h.Points); n > 0 && p.T <= h.Points[n-1].T {
		return
	}
	if h.keep == 0 {
		h.Points = append(h.Points[:0], p)
		return
	}
	for len(h.Points) > 0 && h.Points[0].T <= at-h.keep.Milliseconds() {
		h.Points = h.Points[1:]
	}
	h.Points = append(h.Points, p)
}

// sweep ends the series that the newest scrape of an endpoint did not have, and
// drops those that nothing reaches back to.
func (st *store) sweep(endpoint int, at int64) {
	list := st.byEndpoint[endpoint]
	before := len(list)
	list = slices.DeleteFunc(list, func(h *held) bool {
		if h.scrape == st.scrapes {
			return false
		}
		h.Ended = !h.stamped
		needed := h.keep
		if h.stamped {
			needed = max(needed, lookback)
		}
		if h.gone = h.Points[len(h.Points)-1].T <= at-needed.Milliseconds() || needed == 0; h.gone {
			delete(st.byKey, h.key)
		}
		return h.gone
	})
	st.byEndpoint[endpoint] = list
	if len(list) == before {
		return
	}
	st.generation++
	for name, all := range st.byName {
		if all = slices.DeleteFunc(all, func(h *held) bool { return h.gone }); len(all) == 0 {
			delete(st.byName, name)
		} else {
			st.byName[name] = all
		}
	}
}

// lookback is how long a value counts whose time the endpoint gives.
const lookback = 5 * time.Minute

// end is a scrape of an endpoint that brought nothing: all its series end.
func (st *store) end(endpoint int, at int64) {
	st.scrapes++
	st.sweep(endpoint, at)
}

// track says of which series points are kept; the newest ones stay in any case.
func (st *store) track(list []*eval.Selector) {
	st.ranges = st.ranges[:0]
	for _, s := range list {
		if s.Range > 0 {
			st.ranges = append(st.ranges, s)
		}
	}
	clear(st.found)
	for _, h := range st.byKey {
		h.keep = st.need(h.Labels)
	}
}

// need is how far back the points of a series are needed.
func (st *store) need(set labels.Labels) time.Duration {
	var need time.Duration
	for _, s := range st.ranges {
		if s.Range > need && s.Matches(set) {
			need = s.Range
		}
	}
	return need
}

// Select implements eval.Data.
func (st *store) Select(s *eval.Selector) []*eval.Series { return st.find(s).list }

func (st *store) find(s *eval.Selector) finding {
	if f, ok := st.found[s]; ok && f.generation == st.generation {
		return f
	}
	f := finding{generation: st.generation}
	for h := range st.candidates(s) {
		if s.Matches(h.Labels) {
			f.held = append(f.held, h)
			f.list = append(f.list, &h.Series)
		}
	}
	st.found[s] = f
	return f
}

// candidates are the series that may match: those of one name, else all.
func (st *store) candidates(s *eval.Selector) func(func(*held) bool) {
	for _, m := range s.Matchers {
		if m.Name == model.MetricNameLabel && m.Type == labels.MatchEqual {
			return slices.Values(st.byName[m.Value])
		}
	}
	return func(yield func(*held) bool) {
		for _, list := range st.byEndpoint {
			for _, h := range list {
				if !yield(h) {
					return
				}
			}
		}
	}
}
