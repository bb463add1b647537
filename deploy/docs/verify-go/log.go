package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
)

var hasher, b64 = rfc6962.DefaultHasher, base64.StdEncoding.Strict()

// line is an event of a log or score sheet.
type line struct {
	SpecVersion, Subject, Source, Type, ID, CausationID, BasisRoot, Signature string
	SourceSeq, Basis, Official                                                int
	Data                                                                      struct {
		Origin, Key, Keys, Game any
		Sheet                   *struct {
			Lines  int
			SHA256 string
		}
	}
	raw []byte
}

// serviceKey is a key of a service, the line that announced it, and its author with the author's number.
type serviceKey struct {
	note.Verifier
	text, by string
	line, n  int
}

type log struct {
	lines              []line
	total              int      // events of the file, also unread ones
	roots              [][]byte // of the first 0, 1, 2, ... lines
	tournament, origin string
	services           map[string][]serviceKey
	sources            []string // of services, in the order in which the log names them
}

// isLog says whether a line of a file is a CloudEvent of a tournament.
func isLog(content []byte) bool {
	mark := []byte("tournaments/")
	for at := 0; ; {
		found := bytes.Index(content[at:], mark)
		if found < 0 {
			return false
		}
		at += found
		end := bytes.IndexByte(content[at:], '\n')
		if end < 0 {
			return false
		}
		if l, err := parsed(content[bytes.LastIndexByte(content[:at], '\n')+1 : at+end]); err == nil && strings.HasPrefix(l.Subject, string(mark)) {
			return true
		}
		at += end
	}
}

// isSheets says whether most lines of a file are of score sheets.
func isSheets(content []byte) bool {
	games := bytes.Count(content, []byte(`"subject":"games/`))
	return games > bytes.Count(content, []byte(`"subject":"tournaments/`)) && 2*games >= bytes.Count(content, []byte("\n"))
}

// attributes are those of an event: of CloudEvents 1.0, and Arbiter's extensions.
var attributes = strings.Fields("specversion id source type subject time datacontenttype partitionkey sourceseq basis basisroot causationid actor role tokenid software data official signature")

// unbase64 decodes canonical base64. The library alone would skip line breaks.
func unbase64(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, fmt.Errorf("a line break in base64")
	}
	return b64.DecodeString(text)
}

func parsed(raw []byte) (l line, err error) {
	if err = json.Unmarshal(raw, &l); err == nil && (l.SpecVersion != "1.0" || l.Subject == "" || !utf8.Valid(raw)) {
		err = fmt.Errorf("not a CloudEvent 1.0")
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given)
	for name := range given {
		if err == nil && !slices.Contains(attributes, name) {
			err = fmt.Errorf("unknown attribute %q", name)
		}
	}
	l.raw = raw
	return l, err
}

// ambiguous returns why a line of JSON can be written or read in another way, or "".
func ambiguous(raw []byte) string {
	var tight bytes.Buffer
	if json.Compact(&tight, raw) != nil || !bytes.Equal(tight.Bytes(), raw) {
		return "a space"
	}
	for i := bytes.IndexByte(raw, '\\'); i >= 0 && i+1 < len(raw); {
		if next := string(raw[i+1 : min(i+6, len(raw))]); next[0] == '/' || next[0] == 'u' && (len(next) < 5 || next[:3] != "u00" || next[3] > '1' || strings.ContainsAny(next, "ABCDEF") || slices.Contains([]string{"u0008", "u0009", "u000a", "u000c", "u000d"}, next)) {
			return "an escape"
		}
		after := bytes.IndexByte(raw[i+2:], '\\')
		if after < 0 {
			break
		}
		i += 2 + after
	}
	var names []map[string]bool // of each open object, nil for an array
	decoder, name := json.NewDecoder(bytes.NewReader(raw)), true
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return ""
		}
		top := len(names) - 1
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				names, name = append(names, map[json.Delim]map[string]bool{'{': {}}[t]), true
				continue
			}
			names, name = names[:top], true
			continue
		case string:
			if top >= 0 && names[top] != nil && name {
				if names[top][t] {
					return t
				}
				names[top][t], name = true, false
				continue
			}
		}
		name = true
	}
}

// lines yields the events of a file up to the first that cannot be read.
func (c *check) lines(of file) (read []line) {
	rest := of.content
	for n := 1; len(rest) > 0; n++ {
		raw, after, whole := bytes.Cut(rest, []byte("\n"))
		rest = after
		if !whole {
			c.say(1, "%sline %d: the file was cut off here", of.place(), n)
		}
		l, err := parsed(raw)
		if err != nil {
			c.say(1, "%sline %d: %v", of.place(), n, err)
			return read
		}
		if odd := ambiguous(raw); odd != "" {
			c.say(1, "%sline %d: it is ambiguous (%q)", of.place(), n, odd)
		}
		read = append(read, l)
	}
	return read
}

// place is printed before a line's number, except in the log.
func (f file) place() string {
	if f.kind == "sheets" {
		return f.name + ", "
	}
	return ""
}

// inOrder checks one stream: one subject, numbers without gaps, no ID twice, no basis that goes back.
func (c *check) inOrder(lines []line, place string) {
	counts, bases, ids := map[string]int{}, map[string]int{}, map[string]bool{}
	for n, l := range lines {
		if counts[l.Source]++; l.SourceSeq != counts[l.Source] || l.Subject != lines[0].Subject || ids[l.ID] || l.Basis < bases[l.Source] {
			c.say(1, "%sline %d: %s, %s %d, where %d is next", place, n+1, l.Subject, l.Source, l.SourceSeq, counts[l.Source])
		}
		counts[l.Source], bases[l.Source], ids[l.ID] = l.SourceSeq, l.Basis, true
	}
}

// readLog reads the lines, in order, each on the root of its basis, and checks the signature of each record.
func (c *check) readLog(of file) *log {
	lg := &log{lines: c.lines(of), total: bytes.Count(of.content, []byte("\n")), roots: [][]byte{hasher.EmptyRoot()}, services: map[string][]serviceKey{}}
	c.inOrder(lg.lines, "")
	tree := (&compact.RangeFactory{Hash: hasher.HashChildren}).NewEmptyRange(0)
	for n, l := range lg.lines {
		if l.Basis < 0 || l.Basis > n || b64.EncodeToString(lg.roots[l.Basis]) != l.BasisRoot {
			c.say(1, "line %d: its basisroot is not the root of the first %d lines", n+1, l.Basis)
		}
		_ = tree.Append(hasher.HashLeaf(l.raw), nil)
		root, _ := tree.GetRootHash(nil)
		lg.roots = append(lg.roots, root)
	}
	if len(lg.lines) == 0 || !strings.HasPrefix(lg.lines[0].Type, "arbiter.tournament.announced.v") {
		c.say(1, "line 1: the log does not begin with the creation of a tournament")
		lg.origin = "arbiter/"
		return lg
	}
	lg.tournament = strings.TrimPrefix(lg.lines[0].Subject, "tournaments/")
	if lg.origin, _ = lg.lines[0].Data.Origin.(string); lg.origin == "" {
		lg.origin = "arbiter/" + lg.tournament
	}
	named, _ := lg.lines[0].Data.Keys.([]any)
	for _, text := range named {
		lg.announce(1, lg.lines[0], text)
	}
	for n, l := range lg.lines[1:] {
		if strings.HasPrefix(l.Type, "arbiter.key.announced.") {
			lg.announce(n+2, l, l.Data.Key)
		}
	}
	c.signatures(lg, lg.lines, "")
	return lg
}

// announce takes a service's key: its own, one that pairing announces, or for pairing one that standings announces.
func (lg *log) announce(n int, by line, said any) {
	text, _ := said.(string)
	of, _, _ := strings.Cut("/"+text, "+")
	if key, err := note.NewVerifier(text); err == nil && (by.Source == of || by.Source == "/services/pairing" || by.Source+of == "/services/standings/services/pairing") {
		if lg.services[of] == nil {
			lg.sources = append(lg.sources, of)
		}
		lg.services[of] = append(lg.services[of], serviceKey{key, text, by.Source, n, by.SourceSeq})
	}
}

// signatures checks each record: the lines of one command of one service, signed in the last of them.
func (c *check) signatures(lg *log, lines []line, place string) {
	for first, n := 0, 1; n <= len(lines); n++ {
		if n == len(lines) || lines[n].CausationID != lines[first].CausationID || lines[n].Source != lines[first].Source {
			c.signature(lg, lines[first:n], n, place)
			first = n
		}
	}
}

func (c *check) signature(lg *log, record []line, n int, place string) {
	l, raws, good := record[len(record)-1], [][]byte{}, false
	for i, one := range record {
		raws, good = append(raws, one.raw), good || i < len(record)-1 && one.Signature != ""
	}
	if good {
		c.say(1, "%sline %d: a signature before the end of its record", place, n)
	}
	body, last := bytes.CutSuffix(bytes.Join(raws, []byte("\n")), []byte(`,"signature":"`+l.Signature+`"}`))
	digest := sha256.Sum256(append(slices.Clone(body), '}'))
	signature, err := unbase64(l.Signature[min(9, len(l.Signature)):])
	good = false
	for _, key := range lg.inForce(record[0], n-len(record)+1, place == "") {
		good = good || last && err == nil && strings.HasPrefix(l.Signature, fmt.Sprintf("%08x:", key.KeyHash())) && key.Verify(digest[:], signature)
	}
	if (len(lg.services) > 0 || l.Signature != "") && !good {
		code := 1
		if l.Signature == "" && lg.services[l.Source] != nil {
			code = 3
		}
		c.say(code, "%sline %d: its record has no valid signature of %s", place, n, l.Source)
	}
}

// inForce returns the keys that may sign a record that begins with this line: the one in force for whoever has seen its
// basis, and those announced since.
func (lg *log) inForce(l line, n int, isLog bool) (keys []serviceKey) {
	seen := func(k serviceKey) bool {
		return k.line <= l.Basis || k.by == l.Source && (isLog || k.n <= l.Official)
	}
	for _, k := range lg.services[l.Source] {
		if k.line == 1 || isLog && k.line < n || !isLog && (seen(k) || k.by != l.Source) {
			keys = append(keys, k)
		}
	}
	for len(keys) > 1 && seen(keys[1]) {
		keys = keys[1:]
	}
	return keys
}
