// Command crowd publishes the counters of many services, as a big mesh would:
// ten series a service, which grow with the time, so that rates are steady. One
// service in a hundred makes more attempts than it should.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

func main() {
	services := flag.Int("services", 10_000, "how many")
	listen := flag.String("listen", "127.0.0.1:0", "address of /metrics")
	flag.Parse()
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr())
	start := time.Now()
	http.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		out := bufio.NewWriterSize(w, 1<<16)
		defer out.Flush()
		write(out, *services, time.Since(start).Seconds())
	})
	log.Fatal(http.Serve(l, nil))
}

// write is the exposition at a time since the start, in seconds.
func write(out *bufio.Writer, services int, t float64) {
	for i := range services {
		rate := float64(10 + i%90)
		extra := 0.01 * rate
		if i%100 == 7 {
			extra = 1.4 * rate
		}
		counter := func(name, labels string, perSecond float64) {
			fmt.Fprintf(out, "stormtop_%s{service=\"service-%05d\"%s} %.3f\n", name, i, labels, perSecond*t)
		}
		counter("requests_total", "", rate)
		counter("attempts_total", ",attempt=\"1\"", rate)
		counter("attempts_total", ",attempt=\"2\"", extra)
		counter("successes_total", ",attempt=\"1\"", 0.9*rate)
		counter("successes_total", ",attempt=\"2\"", 0.5*extra)
		counter("at_limit_total", "", max(extra-0.2*rate, 0)/10) // none where all is well
		counter("pool_wait_seconds_sum", "", 0.02*rate)
		counter("pool_wait_seconds_count", "", rate)
		fmt.Fprintf(out, "stormtop_queue_depth{service=\"service-%05d\"} %d\n", i, i%7)
	}
}
