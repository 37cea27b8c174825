package main

import (
	"context"
	"net"
	"strconv"

	"go.opentelemetry.io/otel/sdk/metric"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats/opentelemetry"
	"google.golang.org/grpc/status"

	"stormtop.ci/peers/peer"
)

// payments is the dependency: it refuses a share of the attempts.
type payments struct {
	grpc_testing.UnimplementedTestServiceServer
	seen     *counts
	refused  peer.Share
	attempts int
}

// UnaryCall answers one attempt.
func (p *payments) UnaryCall(ctx context.Context, _ *grpc_testing.SimpleRequest) (*grpc_testing.SimpleResponse, error) {
	before := previousAttempts(ctx)
	if before > 0 {
		p.seen.retries.Add(1)
	}
	if p.refused.Takes(p.seen.attempts.Add(1)) {
		if before+1 >= p.attempts {
			p.seen.atLimit.Add(1)
		}
		return nil, status.Error(codes.Unavailable, "refused on purpose")
	}
	if before > 0 {
		p.seen.rescued.Add(1)
	}
	return &grpc_testing.SimpleResponse{}, nil
}

// previousAttempts is how many attempts of the same call came before this one.
func previousAttempts(ctx context.Context) int {
	header, _ := metadata.FromIncomingContext(ctx)
	n := 0
	for _, text := range header.Get("grpc-previous-rpc-attempts") {
		n, _ = strconv.Atoi(text)
	}
	return n
}

// serve starts the server on loopback.
func serve(seen *counts, refused peer.Share, attempts int, provider *metric.MeterProvider) (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := grpc.NewServer(opentelemetry.ServerOption(opentelemetry.Options{
		MetricsOptions: opentelemetry.MetricsOptions{MeterProvider: provider},
	}))
	grpc_testing.RegisterTestServiceServer(server, &payments{seen: seen, refused: refused, attempts: attempts})
	go server.Serve(listener)
	return listener.Addr().String(), server.Stop, nil
}
