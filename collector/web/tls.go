package web

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"

	"stormtop/collector"
)

const inTLSConfig = "under tls_config in --prom.http-config=FILE"

// WithoutTLS reports whether a connection failed because the other side does not
// speak TLS.
func WithoutTLS(err error) bool {
	var record tls.RecordHeaderError
	return errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, &record)
}

// WithoutHTTP reports whether the other side speaks another protocol.
func WithoutHTTP(err error) bool {
	text := err.Error()
	return strings.Contains(text, "malformed HTTP") || // response, status code, version
		strings.Contains(text, "readLoopPeekFailLocked") // net/http's word for a peer that speaks first
}

// RefusedTLS is why the other side broke off the handshake, with the remedy,
// cleaned; "" where it did not.
func RefusedTLS(err error) string {
	_, why, ok := strings.Cut(err.Error(), "remote error: tls: ")
	if !ok {
		return ""
	}
	return "(" + collector.Clean(why) + "): if it wants a certificate of yours, name cert_file and key_file " + inTLSConfig
}

// Distrust is why the certificate of the other side is not trusted, and which
// setting may help, cleaned; "" where that is not what went wrong.
func Distrust(err error) string {
	var cert *tls.CertificateVerificationError
	if !errors.As(err, &cert) {
		return ""
	}
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(cert.Err, &name):
		return "it is for another name: write the name it is for as server_name " + inTLSConfig
	case errors.As(cert.Err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired or is not valid yet: renew it, or correct the clock of this machine"
	case errors.As(cert.Err, &unknown):
		return "nobody known here has signed it: name the certificate that did as ca_file " + inTLSConfig
	}
	return strings.TrimPrefix(collector.Clean(cert.Err.Error()), "x509: ") + ": name the certificate to trust as ca_file " + inTLSConfig
}
