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
