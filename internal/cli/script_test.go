package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"n8nlint": func() {
		os.Exit(Main(context.Background(), os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, "v1.2.3"))
	}})
}

// TestScripts runs what users type. $WORKFLOWS holds one workflow a severity:
// error.json, warning.json, note.json and clean.json.
func TestScripts(t *testing.T) {
	workflows, err := filepath.Abs(filepath.Join("testdata", "workflows"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("WORKFLOWS", workflows)
			return nil
		},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition " + condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"sparse": sparse,
		},
	})
}

// exits CODE PROGRAM ARGUMENT... runs a program that has to end with the code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// sparse FILE SIZE makes a file of so many bytes that takes no room.
func sparse(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sparse FILE SIZE")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(name, nil, 0o644))
	ts.Check(os.Truncate(name, size))
}
