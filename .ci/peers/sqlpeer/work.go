package main

import (
	"context"
	"database/sql"
	"time"

	"stormtop.ci/peers/peer"
)

// work takes a connection, uses it and gives it back, until ctx ends. What it
// measures is the time in which it has none.
func work(ctx context.Context, db *sql.DB, queue *peer.Queue) {
	for ctx.Err() == nil {
		began := time.Now()
		queue.Join(began)
		conn, err := db.Conn(ctx)
		queue.Leave(time.Now(), began)
		if err != nil {
			return // the program ends
		}
		conn.ExecContext(ctx, "work")
		conn.Close()
	}
}
