package web

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prometheus/common/config"
)

// httpFile loads a configuration file of a text and returns the error; readable answers for the files in it.
func httpFile(t *testing.T, text string, readable func(string) error) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	name := filepath.Join(dir, "http.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Settings{File: name, Readable: readable}.Load()
	return dir, err
}

func TestMistakesInAnHTTPConfigurationAreSentencesWithTheirLines(t *testing.T) {
	for text, want := range map[string]string{
		"basic_auth:\n  usernam: eve\n":                                      `http.yml:2: unknown field "usernam": correct it, or take it out; `,
		"tls_confg: {}\nbasic_auth:\n  usernam: e\n":                         `http.yml:1: unknown field "tls_confg": `,
		"basic_auth: hunter2\n":                                              "http.yml:1: a value of the wrong kind: ",
		"a: b: hunter2\n":                                                    "http.yml:1: this is no YAML: ",
		"\tbasic_auth: {}\n":                                                 "http.yml:1: this is no YAML: ",
		"follow_redirects: true\nfollow_redirects: true\n":                   `http.yml:2: "follow_redirects" is given twice: keep one`,
		"basic_auth: {username: e, password: hunter2, password_file: x}\n":   "http.yml: at most one of basic_auth password",
		"proxy_url: \"http://eve:hunter2@\\x01h\"\n":                         "http.yml: ",
		"basic_auth: {username: e}\nauthorization: {credentials: hunter2}\n": "http.yml: at most one of",
		"nested:\n  deep: hunter2\n":                                         `http.yml:1: unknown field "nested": `,
	} {
		_, err := httpFile(t, text, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
			continue
		}
		for _, bad := range []string{"hunter2", "\ufffd", "yaml:", "config.", "unmarshal", "in type"} {
			if strings.Contains(err.Error(), bad) {
				t.Errorf("%q: %q holds %q", text, err, bad)
			}
		}
	}
}

func TestEveryMistakeInAnHTTPConfigurationIsALineOfItsOwn(t *testing.T) {
	dir, err := httpFile(t, "tls_confg: {}\nbasic_auth:\n  usernam: e\n", nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], dir) || !strings.HasPrefix(lines[1], dir) || !strings.Contains(lines[1], `http.yml:3: unknown field "usernam"`) {
		t.Errorf("%q", lines)
	}
}

func TestFilesThatCannotBeReadAreNamedAtStart(t *testing.T) {
	gone := func(string) error { return &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist} }
	for text, want := range map[string]string{
		"basic_auth: {username: e, password_file: pw}":                                     "basic_auth.password_file names DIR/pw, which does not exist: ",
		"basic_auth: {username_file: us, password: x}":                                     "basic_auth.username_file names DIR/us",
		"bearer_token_file: tok":                                                           "bearer_token_file names tok",
		"authorization: {credentials_file: cred}":                                          "authorization.credentials_file names DIR/cred",
		"tls_config: {ca_file: ca.pem}":                                                    "tls_config.ca_file names DIR/ca.pem",
		"tls_config: {cert_file: c.pem, key_file: k.pem}":                                  "tls_config.key_file names DIR/k.pem",
		"oauth2: {client_id: a, client_secret_file: s, token_url: x}":                      "oauth2.client_secret_file names DIR/s",
		"oauth2: {client_id: a, client_secret: s, token_url: x, tls_config: {ca_file: z}}": "oauth2.tls_config.ca_file names DIR/z",
		"http_headers: {X-Token: {files: [h]}}":                                            "http_headers.X-Token.files names DIR/h",
	} {
		dir, err := httpFile(t, text, gone)
		if err == nil || !strings.HasPrefix(err.Error(), "--prom.http-config: ") ||
			!strings.Contains(strings.ReplaceAll(err.Error(), dir, "DIR"), strings.ReplaceAll(want, "names tok", "names DIR/tok")) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for err, want := range map[error]string{
		fs.ErrPermission:             "may not be read by this user: change its permissions",
		errors.New("it is a socket"): "cannot be read (it is a socket): correct the name",
	} {
		_, got := httpFile(t, "bearer_token_file: tok", func(string) error { return err })
		if got == nil || !strings.HasSuffix(got.Error(), want) {
			t.Errorf("%v, want %q", got, want)
		}
	}
	if _, err := httpFile(t, "bearer_token_file: tok", func(string) error { return nil }); err != nil {
		t.Errorf("a file that can be read: %v", err)
	}
}

// TestNoFieldThatNamesAFileIsForgotten fills every such field that the type
// has, so that a newer version of it is noticed.
func TestNoFieldThatNamesAFileIsForgotten(t *testing.T) {
	hc := config.HTTPClientConfig{
		BasicAuth: &config.BasicAuth{}, Authorization: &config.Authorization{}, OAuth2: &config.OAuth2{},
		HTTPHeaders: &config.Headers{Headers: map[string]config.Header{"X": {Files: []string{"one", "two"}}}},
	}
	want := 2
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				fill(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if strings.HasSuffix(name, "File") && v.Field(i).Kind() == reflect.String {
					v.Field(i).SetString(name)
					want++
				} else if v.Type().Field(i).IsExported() {
					fill(v.Field(i))
				}
			}
		}
	}
	fill(reflect.ValueOf(&hc))
	if got := len(filesOf(hc)); got != want {
		t.Errorf("%d files are looked at, want %d", got, want)
	}
}
