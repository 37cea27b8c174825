package prom

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// blindAt is the failure of a source at an address.
func blindAt(t *testing.T, url string, http *config.HTTPClientConfig) collector.Failure {
	t.Helper()
	f := newFake(t)
	return blindFailure(t, next(t, f.open(t, func(c *Config) { c.URL, c.HTTP = url, http })))
}

// sentence complains about an error that is not for people.
func sentence(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q, want %q in it", text, w)
		}
	}
	for _, goish := range []string{"x509:", "tls: ", "http: ", "dial tcp", "\n", "((", "))"} {
		if strings.Contains(text, goish) {
			t.Errorf("%q holds %q", text, goish)
		}
	}
}

func TestTLSOnAPortWithoutItNamesThePlainAddress(t *testing.T) {
	f := newFake(t)
	host := strings.TrimPrefix(f.URL, "http://")
	fail := blindAt(t, "https://"+host, nil)
	sentence(t, fail.Text, host+" does not speak TLS: try --prom=http://"+host)
	if fail.Kind != collector.Unreachable || fail.Retry.IsZero() {
		t.Errorf("%+v", fail)
	}
}

// tlsServer answers over TLS, and says nothing about those who do not like it.
func tlsServer(t *testing.T, change func(*tls.Config)) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{}
	if change != nil {
		change(server.TLS)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestACertificateThatIsNotTrustedNamesTheSetting(t *testing.T) {
	fail := blindAt(t, tlsServer(t, nil).URL, nil)
	sentence(t, fail.Text, "is not trusted, nobody known here has signed it", "ca_file under tls_config in --prom.http-config=FILE")
}

func TestEveryReasonForDistrustIsASentence(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{x509.UnknownAuthorityError{}, "nobody known here has signed it: name the certificate"},
		{x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other"}}, Host: "h"}, "for another name: write the name it is for as server_name under"},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "has expired or is not valid yet: renew it"},
		{x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}, "not authorized to sign other certificates: name the certificate"},
	} {
		sentence(t, tlsText(&tls.CertificateVerificationError{Err: c.err}, "h:1"), "the certificate of h:1 is not trusted, ", c.want)
	}
}

func TestAServerThatWantsACertificateSaysWhereToNameIt(t *testing.T) {
	server := tlsServer(t, func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert })
	hc := config.DefaultHTTPClientConfig
	hc.TLSConfig.InsecureSkipVerify = true
	sentence(t, blindAt(t, server.URL, &hc).Text, "refuses the TLS connection (certificate required)", "cert_file and key_file under tls_config")
}

func TestAPortThatSpeaksAnotherProtocolIsASentence(t *testing.T) {
	for name, answer := range map[string]func(net.Conn){
		"it speaks first": func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n") },
		"it answers in its own way": func(c net.Conn) {
			c.Read(make([]byte, 1024))
			io.WriteString(c, "-ERR unknown command\r\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						answer(c)
						io.Copy(io.Discard, c) // the client hangs up
						c.Close()
					}()
				}
			}()
			sentence(t, blindAt(t, "http://"+listener.Addr().String(), nil).Text, "does not speak HTTP: is the port right")
		})
	}
}
