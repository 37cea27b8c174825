package usage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"stormtop/collector"
)

// FlagError puts an error of pflag into our words. names are the flags that
// exist, help is the command that lists them. Where a flag is the mistake, its
// value is not repeated, since it may be a secret.
func FlagError(err error, names []string, help string) error {
	var unknown *pflag.NotExistError
	var needs *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(unknown, names, help)
	case errors.As(err, &needs):
		flag := needs.GetFlag()
		return fmt.Errorf("--%s needs a value: write --%s=%s", flag.Name, flag.Name, flag.Value.Type())
	case errors.As(err, &syntax):
		flag, _, _ := strings.Cut(syntax.GetSpecifiedFlag(), "=")
		return fmt.Errorf("%s is no flag: %s lists those that exist", collector.Quote(flag), help)
	}
	return err
}

func unknownFlag(unknown *pflag.NotExistError, names []string, help string) error {
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		short, _, _ = strings.Cut(short, "=")
		if near := Nearest(short, names); near != "" {
			return fmt.Errorf("unknown flag -%s: did you mean --%s?", collector.Clean(short), near)
		}
		return fmt.Errorf("unknown flag -%s: long names only, and %s lists them", collector.Clean(name), help)
	}
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", collector.Clean(name), near)
	}
	return fmt.Errorf("unknown flag --%s: %s lists those that exist", collector.Clean(name), help)
}
