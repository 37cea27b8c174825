package collector

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFormatDuration(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{-time.Millisecond, "0s"},
		{time.Second - 1, "0s"},
		{42 * time.Second, "42s"},
		{time.Minute - 1, "59s"},
		{time.Minute, "1m"},
		{192 * time.Second, "3m12s"},
		{time.Hour - 1, "59m59s"},
		{time.Hour, "1h"},
		{4*time.Hour + 12*time.Minute + 59*time.Second, "4h12m"},
		{24*time.Hour - 1, "23h59m"},
		{76 * time.Hour, "3d4h"},
		{-192 * time.Second, "-3m12s"},
		{math.MaxInt64, "106751d23h"},
		{math.MinInt64, "-106751d23h"},
	}
	for _, tt := range tests {
		if got := FormatDuration(tt.d); got != tt.want {
			t.Errorf("FormatDuration(%d) = %q, want %q", tt.d, got, tt.want)
		}
	}
}

func TestFormatIntervalIsShortAndExact(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{500 * time.Millisecond, "500ms"},
		{5 * time.Second, "5s"},
		{10 * time.Second, "10s"},
		{time.Minute, "1m"},
		{10 * time.Minute, "10m"},
		{90 * time.Second, "1m30s"},
		{time.Hour, "1h"},
		{20 * time.Hour, "20h"},
		{90 * time.Minute, "1h30m"},
		{time.Hour + 30*time.Second, "1h0m30s"},
		{1500 * time.Millisecond, "1.5s"},
		{-time.Minute, "-1m"},
	}
	for _, tt := range tests {
		if got := FormatInterval(tt.d); got != tt.want {
			t.Errorf("FormatInterval(%d) = %q, want %q", tt.d, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64().Draw(t, "ns"))
		if rapid.Bool().Draw(t, "whole minutes") {
			d = d.Truncate(time.Minute)
		}
		if back, err := time.ParseDuration(FormatInterval(d)); err != nil || back != d {
			t.Errorf("%d reads %q and parses as %d, %v", d, FormatInterval(d), back, err)
		}
	})
}

func TestFormatClockSaysWhenItIsUTC(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 4, 5, 999, time.UTC)
	if got := FormatClock(at); got != "12:04:05Z" {
		t.Errorf("UTC = %q", got)
	}
	if got := FormatClock(at.In(time.FixedZone("CET", 3600))); got != "13:04:05" {
		t.Errorf("another zone = %q", got)
	}
}
