package prom

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"stormtop/collector"
)

const inTLSConfig = "under tls_config in --prom.http-config=FILE"

// tlsText says what went wrong when a connection was to be made safe, and what
// to do; "" for other errors. host is for people.
func tlsText(err error, host string) string {
	var record tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return fmt.Sprintf("%s does not speak TLS: try --prom=http://%s", host, host)
	case errors.As(err, &cert):
		why, remedy := distrust(cert.Err)
		return fmt.Sprintf("the certificate of %s is not trusted, %s: %s", host, why, remedy)
	case strings.Contains(err.Error(), "remote error: tls: "):
		_, why, _ := strings.Cut(err.Error(), "tls: ")
		return fmt.Sprintf("%s refuses the TLS connection (%s): if it wants a certificate of yours, name cert_file and key_file %s",
			host, collector.Clean(why), inTLSConfig)
	case strings.Contains(err.Error(), "malformed HTTP"), // response, status code, version
		strings.Contains(err.Error(), "readLoopPeekFailLocked"): // net/http's word for a peer that speaks first
		return fmt.Sprintf("%s does not speak HTTP: is the port right, or is it --prom=https://%s?", host, host)
	}
	return ""
}

// distrust is why a certificate is not trusted, and which setting may help.
func distrust(err error) (why, remedy string) {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &name):
		return "it is for another name", "write the name it is for as server_name " + inTLSConfig
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired or is not valid yet", "renew it, or correct the clock of this machine"
	case errors.As(err, &unknown):
		return "nobody known here has signed it", "name the certificate that did as ca_file " + inTLSConfig
	}
	return strings.TrimPrefix(collector.Clean(err.Error()), "x509: "), "name the certificate to trust as ca_file " + inTLSConfig
}
