package sarif

import (
	"strconv"
	"unicode/utf8"

	"github.com/n8nlint/n8nlint/internal/source"
)

const (
	hashWindow     = 100    // UTF-16 units that go into one hash
	hashMultiplier = 37     // of the rolling polynomial
	hashEnd        = 0xFFFF // stands behind the last unit of a file
)

// lineHashes are the hashes by which GitHub recognises a line although it has
// moved: for each line the hash of the 100 UTF-16 units from its start, spaces
// and tabs left out, all line breaks taken as \n. The values are those that
// github/codeql-action computes itself in src/fingerprints.ts, which warns
// about every result that differs.
type lineHashes struct {
	lines []lineHash     // line 1 first
	total map[uint64]int // lines of the file that have the hash
}

// lineHash is a hash and how often it occurred in the file up to this line.
type lineHash struct {
	hash  uint64
	count int
}

func (h lineHash) String() string {
	return strconv.FormatUint(h.hash, 16) + ":" + strconv.Itoa(h.count)
}

// hashLines computes the hashes of all lines in one pass over the file.
func hashLines(f *source.File) lineHashes {
	r := newRoller()
	data := f.Bytes()
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		data = data[size:]
		if c > 0xFFFF {
			c -= 0x10000
			r.unit(uint64(0xD800 + c>>10))
			c = 0xDC00 + c&0x3FF
		}
		r.unit(uint64(c))
	}
	r.unit(hashEnd)
	for range hashWindow {
		r.emit()
		r.push(0)
	}
	return r.out
}

// roller is the rolling hash over a ring of the last 100 units.
type roller struct {
	out       lineHashes
	ring      [hashWindow]uint64
	starts    [hashWindow]bool // the unit in the ring begins a line
	at        int
	hash      uint64
	leaving   uint64 // the multiplier to the power of the window
	lineStart bool
	afterCR   bool
}

func newRoller() *roller {
	r := &roller{leaving: 1, lineStart: true, out: lineHashes{total: map[uint64]int{}}}
	for range hashWindow {
		r.leaving *= hashMultiplier
	}
	return r
}

// unit takes one UTF-16 unit of the file.
func (r *roller) unit(u uint64) {
	if u == ' ' || u == '\t' || (r.afterCR && u == '\n') {
		r.afterCR = false
		return
	}
	r.afterCR = u == '\r'
	if u == '\r' {
		u = '\n'
	}
	r.emit()
	if r.lineStart {
		r.starts[r.at] = true
	}
	r.lineStart = u == '\n'
	r.push(u)
}

// emit notes the hash of the line whose first unit is about to leave the ring.
func (r *roller) emit() {
	if !r.starts[r.at] {
		return
	}
	r.starts[r.at] = false
	r.out.total[r.hash]++
	r.out.lines = append(r.out.lines, lineHash{r.hash, r.out.total[r.hash]})
}

func (r *roller) push(u uint64) {
	r.hash = r.hash*hashMultiplier + u - r.leaving*r.ring[r.at]
	r.ring[r.at] = u
	r.at = (r.at + 1) % hashWindow
}

// fingerprints gives every result a line hash that no other result of its rule
// and file has. The first result on a line gets GitHub's own value; more of
// them on one line, as in minified exports, count on where the file stops.
type fingerprints struct {
	files map[*source.File]lineHashes
	taken map[taken]bool
	extra map[taken]int
}

type taken struct {
	rule string
	file *source.File
	line lineHash // count is 0 where a whole hash is meant
}

func newFingerprints() *fingerprints {
	return &fingerprints{
		files: map[*source.File]lineHashes{},
		taken: map[taken]bool{},
		extra: map[taken]int{},
	}
}

// next is the hash for the next result of a rule on a line, counted from 1.
func (p *fingerprints) next(rule string, f *source.File, line int) string {
	hashes, ok := p.files[f]
	if !ok {
		hashes = hashLines(f)
		p.files[f] = hashes
	}
	if len(hashes.lines) == 0 {
		return ""
	}
	// A lone \r breaks lines for GitHub only, so there may be fewer or more.
	own := hashes.lines[max(0, min(line, len(hashes.lines))-1)]
	if key := (taken{rule, f, own}); !p.taken[key] {
		p.taken[key] = true
		return own.String()
	}
	key := taken{rule, f, lineHash{hash: own.hash}}
	p.extra[key]++
	return lineHash{own.hash, hashes.total[own.hash] + p.extra[key]}.String()
}
