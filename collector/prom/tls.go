package prom

import (
	"fmt"

	"stormtop/collector/web"
)

// tlsText says what went wrong when a connection was to be made safe, and what
// to do; "" for other errors. host is for people.
func tlsText(err error, host string) string {
	if web.WithoutTLS(err) {
		return fmt.Sprintf("%s does not speak TLS: try --prom=http://%s", host, host)
	}
	if why := web.Distrust(err); why != "" {
		return fmt.Sprintf("the certificate of %s is not trusted, %s", host, why)
	}
	if why := web.RefusedTLS(err); why != "" {
		return fmt.Sprintf("%s refuses the TLS connection %s", host, why)
	}
	if web.WithoutHTTP(err) {
		return fmt.Sprintf("%s does not speak HTTP: is the port right, or is it --prom=https://%s?", host, host)
	}
	return ""
}
