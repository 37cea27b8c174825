package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"stormtop/collector"
	"stormtop/collector/prom"
)

// parseURL checks the address of a Prometheus without ever showing its user
// info. A missing scheme means http. The text is kept as it was written: the
// source cuts what it does not need.
func parseURL(text string) (string, error) {
	if text == "" {
		return "", errors.New(`"" is no address: write it like http://prometheus:9090`)
	}
	u, err := url.Parse(withScheme(text))
	shown := collector.MaskAddress(text)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is no address: write it like http://prometheus:9090", shown)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%q is neither http nor https: write it like http://prometheus:9090", shown)
	case u.Hostname() == "":
		return "", fmt.Errorf("%q names no host: write it like http://prometheus:9090", shown)
	case u.Port() != "" && !isPort(u.Port(), 1):
		return "", fmt.Errorf("%q has no port that exists: it is from 1 to 65535", shown)
	}
	return text, nil
}

// checkScrape looks at the address of an endpoint with metrics.
func checkScrape(text string) error {
	_, err := parseURL(text)
	return err
}

func withScheme(text string) string {
	if strings.Contains(text, "://") {
		return text
	}
	return "http://" + text
}

// endpoint is the part of an address to which credentials belong.
func endpoint(text string) string {
	u, err := url.Parse(withScheme(text))
	if err != nil {
		return text
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// isPort reports whether text is the number of a port, least or above.
func isPort(text string, least uint64) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n >= least
}

// parseListen reads the address to publish on; a bare port means loopback.
func parseListen(text string) (string, error) {
	address := text
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || !isPort(port, 0) {
		return "", fmt.Errorf("%s is no address: write it like 127.0.0.1:9477", collector.Quote(text))
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

func noCheck(pair) error { return nil }

func checkSignal(p pair) error {
	if _, err := collector.ParseSignal(p.name); err != nil {
		return err
	}
	if strings.TrimSpace(p.value) == "" {
		return fmt.Errorf("%s has no query: write %s='sum by ($by) (rate(METRIC[$window]))'", p.name, p.name)
	}
	if err := prom.CheckQuery(p.value); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// checkHeader never shows a value.
func checkHeader(p pair) error {
	if strings.IndexFunc(p.name, notToken) >= 0 {
		return errors.New("takes NAME=VALUE, and the name of a header is made of letters, digits and dashes")
	}
	if strings.ContainsAny(p.value, "\r\n\x00") {
		return fmt.Errorf("%s has a line break in its value: take it out", p.name)
	}
	return nil
}

func notToken(r rune) bool {
	return !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}
