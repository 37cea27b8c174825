package labcmd

import "testing"

func FuzzArgumentsAreRefusedOrCanRun(f *testing.F) {
	flags := []string{"strategy", "seeds", "clients", "duration", "capacity", "outage", "retries", "base", "jitter", "budget", "deadline", "breaker", "breaker-threshold", "format", "other"}
	for i, text := range []string{"S1..S6", "1,-5", "200", "1m", "9e9", "20s..26s", "5", "500ms", "full", "20%", "-1h", "true", "NaN", "csv", ""} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, flag uint8, text string) {
		p, err := parse([]string{"--" + flags[int(flag)%len(flags)] + "=" + text})
		if err != nil {
			return
		}
		if len(p.runs) == 0 {
			t.Error("accepted, but nothing would run")
		}
		for _, s := range p.runs {
			if err := s.Config.Validate(); err != nil {
				t.Errorf("accepted, but %v", err)
			}
		}
	})
}
