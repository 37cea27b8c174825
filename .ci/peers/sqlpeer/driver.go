package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"
)

// slow is a driver whose statements take their time and do nothing.
type slow struct{ latency time.Duration }

// Connect opens a connection; there is nothing to connect to.
func (s *slow) Connect(context.Context) (driver.Conn, error) { return connection{s.latency}, nil }

// Driver is the driver itself.
func (s *slow) Driver() driver.Driver { return s }

// Open opens a connection.
func (s *slow) Open(string) (driver.Conn, error) { return connection{s.latency}, nil }

type connection struct{ latency time.Duration }

// ExecContext takes the latency of a statement.
func (c connection) ExecContext(ctx context.Context, _ string, _ []driver.NamedValue) (driver.Result, error) {
	done := time.NewTimer(c.latency)
	defer done.Stop()
	select {
	case <-done.C:
		return driver.ResultNoRows, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var errNotHere = errors.New("this driver knows nothing but statements without a result")

// Prepare is not offered.
func (c connection) Prepare(string) (driver.Stmt, error) { return nil, errNotHere }

// Begin is not offered.
func (c connection) Begin() (driver.Tx, error) { return nil, errNotHere }

// Close has nothing to close.
func (c connection) Close() error { return nil }
