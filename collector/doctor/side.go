package doctor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"stormtop/collector"
)

// checkSides looks at the series behind each side of the ratio.
func (x *exam) checkSides(ctx context.Context) {
	if len(x.sys.Sides) == 0 {
		return
	}
	x.checkSpacing()
	x.checkAge()
	x.checkReporters()
	x.checkReplicas()
	x.checkJobs(ctx)
}

// several is from where on series count as doubled: one target that moves from
// an address to the next doubles a few of them.
const several = 1.05

// checkJobs names jobs that scrape the same instances. Where both sides are
// doubled alike, the ratio is right and the rates are not.
func (x *exam) checkJobs(ctx context.Context) {
	var copies []float64
	var sides []string
	jobs, keep := "several jobs", "NAME"
	for _, s := range x.sys.Sides {
		copies = append(copies, max(s.Jobs, 1))
		if s.Jobs <= several {
			continue
		}
		sides = append(sides, s.Name)
		if list := x.jobs(ctx, s.Selector); len(list) > 1 {
			jobs, keep = "the jobs "+listed(list), list[0]
		}
	}
	if len(sides) == 0 {
		return
	}
	most, fewest := slices.Max(copies), slices.Min(copies)
	remedy := fmt.Sprintf("Keep one of them: --select 'job=%q', or drop the other from the scrape configuration.", keep)
	if most <= several*fewest {
		x.find(Gap, TopicJobs, remedy, "%s scrape the same instances: rates count %s, the ratio is right", jobs, times(most))
		return
	}
	x.find(Broken, TopicJobs, remedy, "%s scrape the same instances of %s: healthy traffic reads as %s",
		jobs, listed(sides), collector.Num(copies[len(copies)-1]/copies[0], collector.Ratio, collector.Exact))
}

// jobs are the jobs behind a selector, in order.
func (x *exam) jobs(ctx context.Context, selector string) []string {
	ans, err := x.ask(ctx, "count by (job) ("+selector+")")
	if err != nil {
		return nil
	}
	var out []string
	for _, sample := range ans.Samples {
		out = append(out, value(sample.Labels, "job"))
	}
	slices.Sort(out)
	return out
}

func (x *exam) checkSpacing() {
	var slowest time.Duration
	var words []string
	for _, s := range x.sys.Sides {
		slowest = max(slowest, s.Spacing)
		word := s.Name + " every " + seconds(s.Spacing)
		if s.Spacing == 0 {
			word = s.Name + " not known"
		}
		words = append(words, word)
	}
	if slowest == 0 || x.ex.Rate <= 0 {
		x.find(Note, TopicSpacing, "", "not known: there are fewer than three samples; rate %s is assumed", collector.FormatInterval(x.ex.Rate))
		return
	}
	x.sys.Least = least(slowest)
	if len(x.sys.Sides) == 2 && x.sys.Sides[0].Spacing == x.sys.Sides[1].Spacing {
		words = []string{"both sides every " + seconds(slowest)}
	}
	text := fmt.Sprintf("%s; rate %s (%s or more)", listed(words), collector.FormatInterval(x.ex.Rate), collector.FormatInterval(x.sys.Least))
	remedy := fmt.Sprintf("Use --rate=%s or more.", collector.FormatInterval(x.sys.Least))
	switch {
	case x.ex.Rate < 2*slowest:
		x.find(Broken, TopicSpacing, remedy, "%s: the range holds fewer than 2 samples, so that rates are empty", text)
	case x.ex.Rate < x.sys.Least:
		x.find(Gap, TopicSpacing, remedy, "%s: one late scrape empties the rates", text)
	default:
		x.find(OK, TopicSpacing, "", "%s", text)
	}
}

// checkAge compares the newest samples with the server's own time.
func (x *exam) checkAge() {
	if x.report.At.IsZero() {
		return
	}
	for _, s := range x.sys.Sides {
		age := x.report.At.Sub(s.Newest)
		if s.Newest.IsZero() || age <= max(4*s.Spacing, time.Minute) {
			continue
		}
		x.find(Gap, TopicAge, "See why it is not scraped any more: up == 0, or the target's page in the server.",
			"%s: the newest sample is %s old", s.Name, collector.FormatDuration(age))
	}
}

func (x *exam) checkReporters() {
	var words []string
	short := false
	for _, s := range x.sys.Sides {
		if s.Reporters == 0 && s.Usual == 0 {
			continue
		}
		words = append(words, fmt.Sprintf("%s %d of %d", s.Name, s.Reporters, max(s.Usual, s.Reporters)))
		short = short || collector.Reporters{Now: s.Reporters, Usual: s.Usual}.Short()
	}
	switch text := listed(words); {
	case len(words) == 0:
		x.find(Note, TopicReporters, "", "not known, so that missing ones hold no verdict")
	case short:
		x.find(Gap, TopicReporters, "Find those that are away: up == 0; until then the numbers of that side are partial and verdicts are held.", "%s answer", text)
	default:
		x.find(OK, TopicReporters, "", "%s", text)
	}
}

// checkReplicas names series that are there several times. Replica labels are
// collapsed before the sum; on one side alone they would fake amplification in
// any plain sum.
func (x *exam) checkReplicas() {
	var labels, words []string
	var copies []float64
	for _, s := range x.sys.Sides {
		copies = append(copies, max(s.Doubled, 1))
		words = append(words, fmt.Sprintf("%s %s", s.Name, times(max(s.Doubled, 1))))
		for _, l := range s.Replicas {
			if !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	by := ""
	if len(labels) > 0 {
		by = ", told apart by " + listed(labels)
	}
	const remedy = "Deduplicate where the series are stored or queried: stormtop collapses them before the sum, a plain sum(rate()) in a rule does not."
	switch most, fewest := slices.Max(copies), slices.Min(copies); {
	case most > several*fewest:
		in, down := copies[0], copies[len(copies)-1]
		if fewest <= several {
			words = []string{"only the " + x.sys.Sides[slices.Index(copies, most)].Name + " side is there " + times(most)}
		}
		x.find(Gap, TopicReplicas, remedy, "%s%s; uncollapsed, healthy traffic reads as %s", listed(words), by,
			collector.Num(down/in, collector.Ratio, collector.Exact))
	case most > several:
		x.find(Note, TopicReplicas, remedy, "every series is there %s%s", times(most), by)
	case len(labels) > 0:
		x.find(Note, TopicReplicas, "", "%s has several values, but no series is there twice", listed(labels))
	default:
		x.find(OK, TopicReplicas, "", "no series is there twice")
	}
}

// times is a factor in words: "once", "twice", "3 times", "1.5 times".
func times(f float64) string {
	switch {
	case math.Abs(f-1) < 0.005:
		return "once"
	case math.Abs(f-2) < 0.005:
		return "twice"
	}
	return collector.FormatCount(math.Round(f*100)/100) + " times"
}
