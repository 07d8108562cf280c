package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

// largestFile is the size up to which a file is read.
const largestFile = 64 << 20

// find collects the files of a run, each once, in the order of their names,
// whatever the order of the arguments. Paths that do not exist or cannot be read
// become inputs with an error. What comes from standard input stands in for the
// file of its name.
func find(args []string, stdin io.Reader, stdinName string) []lint.Input {
	if len(args) == 0 {
		args = []string{"."}
	}
	c := collector{seen: map[string]int{}}
	if slices.Contains(args, "-") {
		c.stdin(stdin, stdinName)
	}
	for _, arg := range args {
		if arg != "-" {
			c.argument(arg)
		}
	}
	slices.SortStableFunc(c.inputs, func(a, b lint.Input) int { return strings.Compare(a.File.Name, b.File.Name) })
	return c.inputs
}

// collector holds the inputs so far, and for each file its place among them.
type collector struct {
	inputs []lint.Input
	seen   map[string]int
}

// take adds an input. A file that comes again keeps its first name, and counts
// as named if it was named once.
func (c *collector) take(in lint.Input) {
	c.seen[identity(in.File.Name)] = len(c.inputs)
	c.inputs = append(c.inputs, in)
}

// again reports whether the file was taken before.
func (c *collector) again(name string, isNamed bool) bool {
	i, ok := c.seen[identity(name)]
	if ok && isNamed {
		c.inputs[i].Named = true
	}
	return ok
}

// identity is one spelling of a path for all ways to write it.
func identity(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return filepath.Clean(name)
}

func (c *collector) stdin(r io.Reader, name string) {
	data, err := io.ReadAll(io.LimitReader(r, largestFile+1))
	c.take(input(shown(name), data, err, true))
}

func (c *collector) argument(arg string) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		c.folder(arg)
	case err == nil:
		c.file(arg, true)
	case isGlob(arg):
		c.glob(arg)
	default:
		c.fail(arg, reason(err))
	}
}

func (c *collector) glob(pattern string) {
	matches, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
	switch {
	case err != nil:
		c.fail(pattern, errors.New("is neither a file nor a glob; a [ or { in it has no end"))
	case len(matches) == 0:
		c.fail(pattern, errors.New("no file matches this glob"))
	}
	slices.Sort(matches)
	for _, m := range matches {
		c.file(m, false)
	}
}

func isGlob(arg string) bool { return strings.ContainsAny(arg, "*?[{") }

func (c *collector) fail(name string, err error) {
	if !c.again(name, true) {
		c.take(lint.Input{File: source.NewFile(shown(name), nil), Err: err, Named: true})
	}
}

// shown is a path as reports write it: as given, without detours, with forward
// slashes.
func shown(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// reason leaves out what a user knows or does not want to know: the call and
// the path.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot be read: %w", path.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// file reads one regular file.
func (c *collector) file(name string, isNamed bool) {
	if c.again(name, isNamed) {
		return
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		if isNamed {
			c.fail(name, errors.New("is no regular file; read a pipe with the path -"))
		}
		return
	}
	var data []byte
	if err == nil && info.Size() <= largestFile {
		data, err = os.ReadFile(name)
	} else if err == nil {
		err = errTooLarge
	}
	c.take(input(shown(name), data, err, isNamed))
}

var errTooLarge = errors.New("is larger than 64 MiB and was not read")

func input(name string, data []byte, err error, isNamed bool) lint.Input {
	switch {
	case errors.Is(err, errTooLarge) || len(data) > largestFile:
		return lint.Input{File: source.NewFile(name, nil), Err: errTooLarge, Named: isNamed}
	case err != nil:
		return lint.Input{File: source.NewFile(name, nil), Err: reason(err), Named: isNamed}
	}
	return lint.Input{File: source.NewFile(name, data), Named: isNamed}
}

// folder walks a folder for .json files, without what git ignores and without
// hidden folders. Links below it are not followed, so loops end.
func (c *collector) folder(root string) {
	ignore := newIgnorer(root)
	if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator) // enters the folder behind the link
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			c.fail(path, reason(err))
			return fs.SkipDir
		case d.IsDir():
			if path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || ignore.match(path, true)) {
				return fs.SkipDir
			}
			ignore.enter(path)
		case strings.EqualFold(filepath.Ext(path), ".json") && d.Type().IsRegular() && !ignore.match(path, false):
			c.file(path, false)
		}
		return nil
	})
	if err != nil {
		c.fail(root, reason(err))
	}
}

// ignorer applies the .gitignore files from the repository's root down to each
// folder.
type ignorer struct {
	base     string // absolute path that patterns count from
	patterns []gitignore.Pattern
	matcher  gitignore.Matcher
}

func newIgnorer(root string) *ignorer {
	i := &ignorer{matcher: gitignore.NewMatcher(nil)}
	abs, err := filepath.Abs(root)
	if err != nil {
		return i
	}
	i.base = repository(abs)
	for dir := i.base; dir != abs; {
		i.read(dir)
		rel, _ := filepath.Rel(dir, abs)
		next, _, _ := strings.Cut(rel, string(filepath.Separator))
		dir = filepath.Join(dir, next)
	}
	if i.match(abs, true) { // it was named, so it is wanted
		i.patterns = nil
	}
	return i
}

// repository is the nearest folder upward that holds .git, or the folder itself.
func repository(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

func (i *ignorer) enter(path string) {
	if abs, err := filepath.Abs(path); err == nil {
		i.read(abs)
	}
}

func (i *ignorer) read(dir string) {
	data, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return
	}
	domain := i.split(dir)
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		line = pattern(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			i.patterns = append(i.patterns, gitignore.ParsePattern(line, domain))
		}
	}
	i.matcher = gitignore.NewMatcher(i.patterns)
}

// pattern is a line without its end; git drops blanks there unless the last is
// escaped.
func pattern(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if bare := strings.TrimRight(line, " "); !strings.HasSuffix(bare, `\`) {
		return bare
	}
	return line
}

func (i *ignorer) match(path string, isDir bool) bool {
	abs, err := filepath.Abs(path)
	return err == nil && len(i.patterns) > 0 && i.matcher.Match(i.split(abs), isDir)
}

func (i *ignorer) split(abs string) []string {
	rel, err := filepath.Rel(i.base, abs)
	if err != nil || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}
