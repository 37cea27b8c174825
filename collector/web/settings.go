package web

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// Settings are how servers are reached, as somebody configured it: credentials,
// TLS and proxy in the form of prometheus/common. The zero Settings are the default.
type Settings struct {
	File  string                   // a file that holds them, or ""
	Value *config.HTTPClientConfig // the same as a value; not together with File

	// Readable says why a file that they name cannot be read, if it cannot; nil:
	// nothing is checked.
	Readable func(file string) error
}

// Load reads and checks the configuration. Every mistake in a file is a sentence
// on a line of its own, with its place and without the values, which may be secret.
func (s Settings) Load() (config.HTTPClientConfig, error) {
	hc, text := config.DefaultHTTPClientConfig, ""
	switch {
	case s.File != "" && s.Value != nil:
		return hc, errors.New("the HTTP configuration was given twice, as a file and as a value")
	case s.File != "":
		loaded, content, err := config.LoadHTTPConfigFile(s.File)
		if err != nil {
			return hc, httpFileError(s.File, err)
		}
		hc, text = *loaded, string(content)
	case s.Value != nil:
		if err := s.Value.Validate(); err != nil {
			return hc, fmt.Errorf("HTTP configuration: %w", err)
		}
		hc = *s.Value
	}
	if s.Readable == nil {
		return hc, nil
	}
	return hc, checkFiles(hc, text, s.Readable)
}

// namedFile is a file that an HTTP configuration names, and the field that does.
type namedFile struct{ field, file string }

// filesOf are the files that a configuration names.
func filesOf(hc config.HTTPClientConfig) []namedFile {
	var out []namedFile
	add := func(field, file string) {
		if file != "" {
			out = append(out, namedFile{field, file})
		}
	}
	tls := func(prefix string, c config.TLSConfig) {
		add(prefix+"tls_config.ca_file", c.CAFile)
		add(prefix+"tls_config.cert_file", c.CertFile)
		add(prefix+"tls_config.key_file", c.KeyFile)
	}
	if b := hc.BasicAuth; b != nil {
		add("basic_auth.username_file", b.UsernameFile)
		add("basic_auth.password_file", b.PasswordFile)
	}
	if a := hc.Authorization; a != nil {
		add("authorization.credentials_file", a.CredentialsFile)
	}
	if o := hc.OAuth2; o != nil {
		add("oauth2.client_secret_file", o.ClientSecretFile)
		add("oauth2.client_certificate_key_file", o.ClientCertificateKeyFile)
		tls("oauth2.", o.TLSConfig)
	}
	add("bearer_token_file", hc.BearerTokenFile)
	tls("", hc.TLSConfig)
	if h := hc.HTTPHeaders; h != nil {
		for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
			for _, file := range h.Headers[name].Files {
				add("http_headers."+name+".files", file)
			}
		}
	}
	return out
}

// checkFiles refuses at start what would otherwise look like a server that
// cannot be reached. text is the configuration as it was written, "" when it was
// not.
func checkFiles(hc config.HTTPClientConfig, text string, readable func(string) error) error {
	var wrong []error
	for _, n := range filesOf(hc) {
		err := readable(n.file)
		if err == nil {
			continue
		}
		field := n.field
		if n.field == "authorization.credentials_file" && strings.Contains(text, "bearer_token_file") {
			field = "bearer_token_file" // the older spelling, which was turned into the newer one
		}
		wrong = append(wrong, fmt.Errorf("--prom.http-config: %s names %s, which %s",
			collector.Clean(field), collector.Clean(n.file), unreadable(err)))
	}
	return errors.Join(wrong...)
}

// unreadable is the end of a sentence about a file, with the remedy.
func unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist: correct the name"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read by this user: change its permissions"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return "cannot be read (" + collector.Clean(err.Error()) + "): correct the name"
}
