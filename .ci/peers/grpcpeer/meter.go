package main

import (
	"fmt"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
)

// meter collects what one side of the calls measures of itself.
type meter struct {
	provider *metric.MeterProvider
	page     http.Handler
}

// spellings are the ways in which OpenTelemetry names arrive in Prometheus.
var spellings = map[string][]exporter.Option{
	"default":     nil,
	"underscores": {exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithSuffixes)},
	"nosuffixes":  {exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithoutSuffixes)},
	"dots":        {exporter.WithTranslationStrategy(otlptranslator.NoUTF8EscapingWithSuffixes)},
	"plain":       {exporter.WithTranslationStrategy(otlptranslator.NoTranslation)},
}

func newMeter(spelling string) (meter, error) {
	options, ok := spellings[spelling]
	if !ok {
		return meter{}, fmt.Errorf("no way to spell metrics is called %q", spelling)
	}
	registry := prometheus.NewRegistry()
	reader, err := exporter.New(append([]exporter.Option{exporter.WithRegisterer(registry)}, options...)...)
	if err != nil {
		return meter{}, fmt.Errorf("export metrics: %w", err)
	}
	return meter{
		provider: metric.NewMeterProvider(metric.WithReader(reader)),
		page:     promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
	}, nil
}
