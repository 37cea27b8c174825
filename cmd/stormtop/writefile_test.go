package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileIsReplacedAtOnceAndAsItWas(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.yml"), filepath.Join(dir, "link.yml")
	if err := os.WriteFile(real, []byte("a\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.yml", link); err != nil {
		t.Fatal(err)
	}
	p, err := propose(link, []byte("b\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p.same() || p.difference() != "-a\n+b\n" {
		t.Errorf("%q", p.difference())
	}
	if text, err := os.ReadFile(real); err != nil || string(text) != "a\n" {
		t.Fatalf("a proposal alone has written: %q, %v", text, err)
	}
	if err := p.write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(real)
	info, err2 := os.Lstat(real)
	if err != nil || err2 != nil || string(text) != "b\n" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", text, info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", info.Mode())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("%v were left behind", left)
	}
}

// TestALinkStaysALink: also one to a file that is not there yet, to another link,
// and in a directory that is reached by a link.
func TestALinkStaysALink(t *testing.T) {
	for _, tt := range []struct{ name, to, real string }{
		{"there", "../there.yml", "there.yml"},
		{"not there yet", "../new.yml", "new.yml"},
		{"to a link to what is not there", "first", "new.yml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for _, err := range []error{
				os.Mkdir(filepath.Join(root, "dir"), 0o700), os.Symlink("dir", filepath.Join(root, "way")),
				os.WriteFile(filepath.Join(root, "there.yml"), []byte("a\n"), 0o600),
				os.Symlink("../new.yml", filepath.Join(root, "dir", "first")), os.Symlink(tt.to, filepath.Join(root, "dir", "link")),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			name := filepath.Join(root, "way", "link")
			p, err := propose(name, []byte("b\n"))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.write(); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("the link was replaced: %v, %v", info, err)
			}
			if text, err := os.ReadFile(filepath.Join(root, tt.real)); err != nil || string(text) != "b\n" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

func TestWhatHasChangedMeanwhileIsNotWrittenOver(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rules.yml")
	p, err := propose(name, []byte("ours\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.write(); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(name); string(text) != "theirs\n" {
		t.Errorf("%q", text)
	}
}

func TestWhereNothingCanBeWrittenNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "none", "rules.yml")
	p, err := propose(name, []byte("ours\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.write(); err == nil || strings.Count(err.Error(), "none") != 1 {
		t.Errorf("%v", err)
	}
	if _, err := propose(dir, nil); err == nil {
		t.Error("a directory was taken for a file")
	}
}
