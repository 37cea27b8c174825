package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"stormtop/alerts"
	"stormtop/collector/usage"
	"stormtop/simfeed/lab/labcmd"
	"stormtop/simfeed/scenario"
	"stormtop/simfeed/scenario/scenariocmd"
)

// completion is what a completion script is made from.
type completion struct {
	verbs []verb
	flags []option
	own   []ofVerb // the flags of verbs that have some
}

// ofVerb is what comes behind a verb.
type ofVerb struct {
	verb  string
	flags []option
	words []string // other words
}

// runCompletion writes the script for a shell.
func runCompletion(args []string, stdout, stderr io.Writer) int {
	c := completion{verbs: verbs(), flags: options(groups(alerts.Documented())), own: ofVerbs()}
	scripts := map[string]func() string{"bash": c.bash, "zsh": c.zsh, "fish": c.fish}
	switch {
	case len(args) == 0:
		return fail(stderr, errors.New("completion needs the name of a shell: write stormtop completion bash, zsh or fish"))
	case len(args) > 1:
		return fail(stderr, errors.New("completion takes one shell: write stormtop completion bash, zsh or fish"))
	case scripts[args[0]] == nil:
		_, err := usage.OneOf("bash", "zsh", "fish")(args[0])
		return fail(stderr, fmt.Errorf("completion for %w", err))
	}
	return write(stdout, scripts[args[0]]())
}

var flagOfHelp = regexp.MustCompile(`(?m)^ +--([a-z-]+)(?: (\S+?))?(\[=\S+\])?(?: {2,}(.*))?$`)

// ofVerbs are the flags of the verbs that have some of their own, taken from
// their help.
func ofVerbs() []ofVerb {
	read := func(verb string, help func(io.Writer), words ...string) ofVerb {
		var text bytes.Buffer
		help(&text)
		out := ofVerb{verb: verb, words: words}
		for _, m := range flagOfHelp.FindAllStringSubmatch(text.String(), -1) {
			o := option{name: m[1], arg: m[2], help: m[4]}
			if m[3] != "" || m[2] == "" {
				o.form = toggle
			}
			out.flags = append(out.flags, o)
		}
		return out
	}
	ctx, asked := context.Background(), []string{"--help"}
	out := []ofVerb{
		{verb: "doctor", flags: doctorOptions()},
		read("lab", func(w io.Writer) { labcmd.Command(ctx, asked, w, io.Discard) }),
		read("simulate", func(w io.Writer) { runSimulate(ctx, asked, w, io.Discard) }, scenario.Names()...),
		read("scenarios", func(w io.Writer) { scenariocmd.Command(asked, readScenario, w, io.Discard) }),
	}
	for _, v := range []verbUsage{rulesUsage(), tuneUsage()} {
		out = append(out, ofVerb{verb: v.name, flags: takenBy(v.takes, v.own)})
	}
	return out
}

// all are the flags of the program and those of its verbs behind them.
func (c completion) all() []option {
	out := slices.Clone(c.flags)
	for _, o := range c.own {
		out = append(out, o.flags...)
	}
	return out
}

// bash is the script for bash. Readline cuts words at "=" and ":", so it is
// taken from the line, and what readline keeps is cut from the answers.
func (c completion) bash() string {
	var b strings.Builder
	b.WriteString(`# bash completion for stormtop
_stormtop() {
  local line=${COMP_LINE:0:COMP_POINT} word= flag= cur prefix=
  local -a words
  read -ra words <<<"$line"
  local n=${#words[@]}
  if [[ $line != *[[:space:]] ]]; then
    (( n-- ))
    word=${words[n]}
  fi
  cur=$word
  COMPREPLY=()
  if [[ $word == --*=* ]]; then
    flag=${word%%=*} cur=${word#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$flag=
  else
    case ${words[n-1]} in
      `)
	b.WriteString(strings.Join(c.withValue(), " | \\\n      "))
	b.WriteString(`) flag=${words[n-1]} ;;
    esac
  fi
  local choices=
  case $flag in
`)
	seen := map[string]bool{}
	for _, o := range c.all() {
		if seen[o.name] {
			continue // another verb's flag of the same name
		}
		seen[o.name] = true
		switch {
		case o.file:
			fmt.Fprintf(&b, "    --%s) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -P \"$prefix\" -f -- \"$cur\")); return ;;\n", o.name)
		case len(o.values) > 0:
			fmt.Fprintf(&b, "    --%s) choices='%s' ;;\n", o.name, strings.Join(o.values, " "))
		}
	}
	var own strings.Builder
	for _, v := range c.own {
		fmt.Fprintf(&own, "        %s) own='%s' ;;\n", v.verb, strings.Join(append(slices.Clone(v.words), words(v.flags)...), " "))
	}
	fmt.Fprintf(&b, `    --*) return ;;
    *)
      case $n,${words[1]} in
        1,*) choices='%s' ;;
        2,completion) choices='bash zsh fish' ;;
        2,help) choices='%s' ;;
      esac
      local own=
      [[ $n -gt 1 ]] && case ${words[1]} in
%s      esac
      if [[ $own ]]; then
        choices=$own
      elif [[ ! ( $n == 1 && $cur != -* || $choices && $n == 2 ) ]]; then
        choices='%s'
      fi
      ;;
  esac
  COMPREPLY=($(compgen -P "$prefix" -W "$choices" -- "$cur"))
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${cur%%"${cur##*:}"}"}")
  fi
  [[ ${COMPREPLY-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _stormtop stormtop
`, strings.Join(verbNames(), " "), strings.Join(c.topics(), " "), own.String(), strings.Join(words(c.flags), " "))
	return b.String()
}

// zsh is the script for zsh.
func (c completion) zsh() string {
	var b strings.Builder
	b.WriteString("#compdef stormtop\n# zsh completion for stormtop\n_stormtop() {\n  local -a verbs\n  verbs=(\n")
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "    %s\n", zshQuote(v.name+":"+v.help))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n    _describe verb verbs\n    return\n  fi\n")
	b.WriteString("  case $words[2] in\n    completion) _values shell bash zsh fish; return ;;\n")
	fmt.Fprintf(&b, "    help) _values verb %s; return ;;\n", strings.Join(c.topics(), " "))
	for _, v := range c.own {
		fmt.Fprintf(&b, "    %s)\n      shift words\n      (( CURRENT-- ))\n      _arguments -s \\\n", v.verb)
		if len(v.words) > 0 {
			fmt.Fprintf(&b, "    %s \\\n", zshQuote("1:"+v.verb+":("+strings.Join(v.words, " ")+")"))
		}
		writeZsh(&b, v.flags)
		b.WriteString("        && return 0\n      return 1 ;;\n")
	}
	b.WriteString("  esac\n  _arguments -s \\\n")
	writeZsh(&b, c.flags)
	b.WriteString("    && return 0\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _stormtop \"$@\"\nelse\n  compdef _stormtop stormtop\nfi\n")
	return b.String()
}

func writeZsh(b *strings.Builder, flags []option) {
	for _, o := range flags {
		spec := "--" + o.name
		if o.form == pairs || o.form == list {
			spec = "*" + spec
		}
		help := "[" + strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(o.help) + "]"
		switch {
		case o.form == toggle:
			spec += help
		case o.file:
			spec += "=" + help + ":file:_files"
		case len(o.values) > 0:
			spec += "=" + help + ":" + o.name + ":(" + strings.ReplaceAll(strings.Join(o.values, " "), ":", `\:`) + ")"
		default:
			spec += "=" + help + ":" + strings.ReplaceAll(o.arg, ":", `\:`) + ":"
		}
		fmt.Fprintf(b, "    %s \\\n", zshQuote(spec))
	}
}

// fish is the script for fish.
func (c completion) fish() string {
	var b strings.Builder
	b.WriteString("# fish completion for stormtop\ncomplete -c stormtop -f\n")
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "complete -c stormtop -n __fish_use_subcommand -a %s -d %s\n", v.name, fishQuote(v.help))
	}
	b.WriteString("complete -c stormtop -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n")
	fmt.Fprintf(&b, "complete -c stormtop -n '__fish_seen_subcommand_from help' -a '%s'\n", strings.Join(c.topics(), " "))
	writeFish(&b, "not __fish_seen_subcommand_from "+strings.Join(verbNames(), " "), c.flags)
	for _, v := range c.own {
		when := "__fish_seen_subcommand_from " + v.verb
		if len(v.words) > 0 {
			fmt.Fprintf(&b, "complete -c stormtop -n %s -a %s\n", fishQuote(when), fishQuote(strings.Join(v.words, " ")))
		}
		writeFish(&b, when, v.flags)
	}
	return b.String()
}

func writeFish(b *strings.Builder, when string, flags []option) {
	for _, o := range flags {
		fmt.Fprintf(b, "complete -c stormtop -n %s -l %s", fishQuote(when), o.name)
		switch {
		case o.form == toggle:
		case o.file:
			b.WriteString(" -r -F")
		case len(o.values) > 0:
			b.WriteString(" -x -a " + fishQuote(strings.Join(o.values, " ")))
		default:
			b.WriteString(" -x")
		}
		b.WriteString(" -d " + fishQuote(o.help) + "\n")
	}
}

// words are the flags as they are typed, with a "=" where a value follows.
func words(flags []option) []string {
	var out []string
	for _, o := range flags {
		word := "--" + o.name
		if o.form != toggle {
			word += "="
		}
		out = append(out, word)
	}
	return out
}

// withValue are the flags that take a value, which may be the next word.
func (c completion) withValue() []string {
	var out []string
	for _, o := range c.all() {
		if name := "--" + o.name; o.form != toggle && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// topics are the verbs that help explains.
func (c completion) topics() []string {
	var out []string
	for _, v := range c.verbs {
		if v.name != "help" {
			out = append(out, v.name)
		}
	}
	return out
}

func zshQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
