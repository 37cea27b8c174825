package profile

import (
	"fmt"
	"strings"
	"testing"

	"stormtop/collector"
)

// system makes a profile for choosing of a word: name, trust, and "pool" or
// "unproven", parted by blanks; ">x" supersedes x.
func system(text string) Profile {
	words := strings.Fields(text)
	trust, err := collector.ParseTrust(words[1])
	if err != nil {
		panic(err)
	}
	p := Profile{Name: words[0], Trust: trust, Signals: map[collector.Signal]string{collector.Ingress: "x", collector.Downstream: "x"}}
	for _, w := range words[2:] {
		switch {
		case w == "pool":
			p.Signals = map[collector.Signal]string{collector.PoolWait: "x"}
		case w == "unproven":
			p.Unproven = true
		case w[0] == '>':
			p.Supersedes = append(p.Supersedes, w[1:])
		}
	}
	return p
}

func TestSystemsAreChosenByTheirTrust(t *testing.T) {
	for name, c := range map[string]struct{ found, judged, offered string }{
		"the most trusted first":            {"b approx; a lower_bound; c exact", "c b a", ""},
		"a heuristic one is offered":        {"h heuristic; a approx", "a", "h"},
		"unless there is no other":          {"h heuristic; g heuristic; p approx pool", "g p", "h"},
		"pools stand behind":                {"p approx pool; a approx; h heuristic", "a p", "h"},
		"pools alone":                       {"p approx pool", "p", ""},
		"proven before unproven":            {"a exact unproven; b lower_bound", "b a", ""},
		"at most four":                      {"a exact; b exact; c exact; d exact; e exact; p approx pool", "a b c d", "e p"},
		"the better one of two":             {"kuma approx >envoy; envoy approx", "kuma", ""},
		"one that is offered takes nothing": {"spring heuristic >hikari; hikari approx pool; r4j lower_bound", "r4j hikari", "spring"},
		"one that is judged does":           {"spring heuristic >hikari; hikari approx pool", "spring", ""},
		"nothing":                           {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var found []Profile
			for text := range strings.SplitSeq(c.found, ";") {
				if strings.TrimSpace(text) != "" {
					found = append(found, system(text))
				}
			}
			judged, offered := Choose(found)
			if got := [2]string{names(judged), names(offered)}; got != [2]string{c.judged, c.offered} {
				t.Errorf("judged %q, offered %q", got[0], got[1])
			}
		})
	}
}

func names(list []Profile) string {
	var out []string
	for _, p := range list {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

func ExampleChoose() {
	judged, offered := Choose([]Profile{system("spring heuristic"), system("envoy approx"), system("grpc_otel exact")})
	fmt.Println(names(judged), "/", names(offered))
	// Output: grpc_otel envoy / spring
}

func TestAWishIsForSystemsThatHaveData(t *testing.T) {
	found := []Profile{system("proxy exact"), system("guess heuristic")}
	for wish, want := range map[string]string{"": "proxy|guess", "guess": "guess|proxy", "nobody": "|proxy guess", "guess proxy": "proxy guess|"} {
		var list []string
		if wish != "" {
			list = strings.Fields(wish)
		}
		judged, offered := Wanted(found, list)
		if got := names(judged) + "|" + names(offered); got != want {
			t.Errorf("%q: %s, want %s", wish, got, want)
		}
	}
}
