package main

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/stats/opentelemetry"
)

// policy is the service configuration: which attempts are made again, and when.
const policy = `{"methodConfig": [{
	"name": [{"service": "grpc.testing.TestService"}],
	"retryPolicy": {
		"maxAttempts": %d, "initialBackoff": "0.005s", "maxBackoff": "0.02s", "backoffMultiplier": 2,
		"retryableStatusCodes": ["UNAVAILABLE"]
	}
}]}`

func dial(address string, attempts int, provider *metric.MeterProvider) (*grpc.ClientConn, error) {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		opentelemetry.DialOption(opentelemetry.Options{MetricsOptions: opentelemetry.MetricsOptions{MeterProvider: provider}}),
	}
	if attempts > 1 {
		options = append(options, grpc.WithDefaultServiceConfig(fmt.Sprintf(policy, attempts)))
	}
	return grpc.NewClient(address, options...)
}

// caller is who makes the calls.
type caller struct {
	payments grpc_testing.TestServiceClient
	seen     *counts
}

func newCaller(conn *grpc.ClientConn, seen *counts) caller {
	return caller{payments: grpc_testing.NewTestServiceClient(conn), seen: seen}
}

// call is one call from the beginning to the end; the channel makes the
// attempts.
func (c caller) call(ctx context.Context) {
	_, err := c.payments.UnaryCall(ctx, &grpc_testing.SimpleRequest{})
	if ctx.Err() != nil {
		return // the program ends
	}
	c.seen.calls.Add(1)
	if err == nil {
		c.seen.successes.Add(1)
	}
}
