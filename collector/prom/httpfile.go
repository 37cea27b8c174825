package prom

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// httpConfig loads the HTTP client configuration.
func (cfg *Config) httpConfig() (config.HTTPClientConfig, error) {
	hc, text := config.DefaultHTTPClientConfig, ""
	switch {
	case cfg.HTTPFile != "" && cfg.HTTP != nil:
		return hc, errors.New("the HTTP configuration was given twice, as a file and as a value")
	case cfg.HTTPFile != "":
		loaded, content, err := config.LoadHTTPConfigFile(cfg.HTTPFile)
		if err != nil {
			return hc, httpFileError(cfg.HTTPFile, err)
		}
		hc, text = *loaded, string(content)
	case cfg.HTTP != nil:
		if err := cfg.HTTP.Validate(); err != nil {
			return hc, fmt.Errorf("HTTP configuration: %w", err)
		}
		hc = *cfg.HTTP
	}
	if cfg.Readable == nil {
		return hc, nil
	}
	return hc, checkFiles(hc, text, cfg.Readable)
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

var (
	yamlPlace   = regexp.MustCompile(`^line (\d+): (.*)$`)
	yamlUnknown = regexp.MustCompile(`^field (.*) not found in type \S+$`)
	yamlTwice   = regexp.MustCompile(`^(?:field|key) "?(.*?)"? already set in (?:type \S+|map)$`)
	yamlKind    = regexp.MustCompile(`^cannot unmarshal `)
)

// httpFileError puts the error of an HTTP configuration file into sentences,
// one a line, each with its place. The YAML parser quotes values, which may be
// secret: they are taken out.
func httpFileError(file string, err error) error {
	name := collector.Clean(file)
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("--prom.http-config names %s, which %s", name, unreadable(err))
	}
	text, isList := strings.CutPrefix(err.Error(), "yaml: unmarshal errors:\n")
	text, syntax := strings.CutPrefix(text, "yaml: ")
	if syntax && !isList && !yamlPlace.MatchString(text) {
		text = "line 1: " + text // the parser does not say so of the first one
	}
	var wrong []error
	for line := range strings.Lines(text) {
		line, place := strings.TrimSpace(line), name
		if m := yamlPlace.FindStringSubmatch(line); m != nil {
			place, line = name+":"+m[1], m[2]
		}
		if line != "" {
			wrong = append(wrong, errors.New(place+": "+httpFileSentence(line, syntax)))
		}
	}
	return errors.Join(wrong...)
}

// httpFileSentence puts one complaint into our words; syntax says that the text
// is no YAML at all.
func httpFileSentence(text string, syntax bool) string {
	text = yamlValue.ReplaceAllString(maskURLs(collector.Clean(text)), "***")
	const remedy = ": correct it, or take it out; the file is an HTTP client configuration as Prometheus has it"
	switch {
	case yamlUnknown.MatchString(text):
		return "unknown field " + collector.Quote(yamlUnknown.FindStringSubmatch(text)[1]) + remedy
	case yamlTwice.MatchString(text):
		return collector.Quote(yamlTwice.FindStringSubmatch(text)[1]) + " is given twice: keep one"
	case yamlKind.MatchString(text):
		return "a value of the wrong kind" + remedy
	case syntax:
		return "this is no YAML: " + text + "; mind the indentation, spaces only"
	}
	return text
}

var yamlValue = regexp.MustCompile("`[^`]*`")
