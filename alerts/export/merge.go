package export

import (
	"slices"

	"stormtop/collector/rulefile"
)

// Merge is a rule file with groups that Build has made in place of those that it
// made before, and with people's own: those of a name that is there in its place,
// the others behind. Everything else of the file stays, in its order. The comment
// of ours follows that of the file.
func Merge(is, built *rulefile.File, own []rulefile.Group) *rulefile.File {
	out := &rulefile.File{Comment: MergeComment(is.Comment, built.Comment)}
	done := false
	for i := range is.Groups {
		g := &is.Groups[i]
		at := slices.IndexFunc(own, func(o rulefile.Group) bool { return o.Name == g.Name })
		switch {
		case at >= 0:
			out.Groups = append(out.Groups, own[at])
		case !ours(g):
			out.Groups = append(out.Groups, *g)
		case !done:
			out.Groups, done = append(out.Groups, built.Groups...), true
		}
	}
	if !done {
		out.Groups = append(out.Groups, built.Groups...)
	}
	for _, o := range own {
		if !slices.ContainsFunc(out.Groups, func(g rulefile.Group) bool { return g.Name == o.Name }) {
			out.Groups = append(out.Groups, o)
		}
	}
	return out
}

// MergeComment is the comment at the head of a rule file with the part that Build
// or TunedComment has made in place of the one that was made before, or behind
// what others wrote. Where there is none it stays as it is.
func MergeComment(is, built []string) []string {
	at := slices.IndexFunc(is, func(line string) bool { return line == headline || line == tuned })
	switch {
	case len(built) == 0:
		return slices.Clone(is)
	case at < 0:
		return append(slices.Clone(is), built...)
	}
	end := at + 1
	if end < len(is) && is[end] == evidence {
		for end++; end < len(is) && len(is[end]) > 1 && is[end][:2] == "  "; {
			end++
		}
	}
	return slices.Concat(is[:at], built, is[end:])
}
