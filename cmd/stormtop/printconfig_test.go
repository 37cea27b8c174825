package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestThePrintedConfigurationReadsBackAsItself(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"--sim=lab:S3", "--speed=10x", "--seed=7", "--no-color", "--listen=:9477"},
		{
			"--prom=https://prom.example:9090/x", "--prom.http-config=/etc/http.yaml", "--prom.param=dedup=true",
			`--signal=ingress=sum by ($by) (rate(a{x="1,2", y=~"[a-z]#: *"}[$window]))`, "--signal=downstream=b\n+ c",
			"--by=service,zone", "--profile=stormtop", "--baseline=1h offset 1d", "--baseline-of=pay=3.63", "--replica-label=replica", `--select=namespace="shop"`, "--ingress=sum(a)", "--downstream=sum(b)", "--interval=1m30s", "--rate=500s", "--span=1d",
			"--amplification-threshold=1.35", "--retry-rate-threshold=12.5%", "--at-limit-threshold=2",
			"--amplification-for=30s", "--min-traffic=0", "--glyphs=ascii", "--theme=light",
		},
	} {
		first, err := settle(t, "", nil, args...)
		if err != nil {
			t.Fatal(err)
		}
		text := printConfig(first)
		second, err := settle(t, text, nil)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if diff := cmp.Diff(first.settings, second.settings, cmp.AllowUnexported(settings{}, exportSettings{}, tuningSettings{}, window{}, access{}, pair{}, thresholds{}, threshold{}, baseline{}, moment{}, seed{})); diff != "" {
			t.Errorf("read back it differs (-first +second):\n%s\n%s", diff, text)
		}
	}
}

func TestTheOriginOfEveryValueIsNamed(t *testing.T) {
	r, err := settle(t, "rate: 2m\ncontexts: {eu1: {by: [zone]}}", []string{"STORMTOP_SPAN=20m"}, "--context=eu1", "--baseline=2")
	if err != nil {
		t.Fatal(err)
	}
	text := printConfig(r)
	for start, want := range map[string]string{
		"baseline: 2": "# --baseline", "span: 20m": "# STORMTOP_SPAN", "rate: 2m": "config.yaml:1",
		`by: ["zone"]`: "config.yaml:2", "glyphs: auto": "# default", "# context: eu1": "# --context",
		"# interval:": "# not set",
	} {
		found := false
		for line := range strings.Lines(text) {
			found = found || strings.HasPrefix(line, start) && strings.Contains(line, want)
		}
		if !found {
			t.Errorf("no line begins with %q and holds %q:\n%s", start, want, text)
		}
	}
}

func TestSecretsAreMasked(t *testing.T) {
	r, err := settle(t, "", nil, "--prom=http://me:s3cret@h:9090/x?token=s3cret#s3cret", "--prom.header=X-Scope-OrgID=s3cret",
		"--prom.param=api_key=s3cret", "--prom.param=dedup=true")
	if err != nil {
		t.Fatal(err)
	}
	text := printConfig(r)
	if strings.Contains(text, "s3cret") || strings.Contains(text, "//me") {
		t.Errorf("a secret is shown:\n%s", text)
	}
	for _, want := range []string{"url: http://h:9090/x", "# X-Scope-OrgID: ***", "# api_key: ***", "dedup: true"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if _, err := settle(t, text, nil); err != nil {
		t.Errorf("it cannot be read back: %v", err)
	}
}

func TestScalarsKeepAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-: #\[\]{}'"%@&*!|>a1\n\t.,~=<?]{0,12}`)).Draw(t, "text")
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			t.Skip("YAML is UTF-8")
		}
		line := "k: " + scalar(text)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		value := doc.Content[0].Content[1]
		if value.Value != text || isNull(value) || strings.ContainsAny(line, "\n\x1b") {
			t.Fatalf("%q reads as %q", line, value.Value)
		}
	})
}
