package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"golang.org/x/mod/sumdb/note"
)

// key is a given key of an operator ("A"), a witness ("B") or a service. now: it is in force, as the first operator's key of its file.
type key struct {
	note.Verifier
	text string
	now  bool
}

// limit is how far a former key counts: in one log up to a size. A stolen key has the limit of no log.
type limit struct {
	origin string
	size   uint64
}

func (k key) bytes() string { return strings.SplitN(k.text, "+", 3)[2] }
func (k key) witness() bool { return k.bytes()[0] == 'B' }
func (k key) house() bool   { return !k.witness() && !strings.HasPrefix(k.text, "services/") }

// held is a checkpoint, or the one of a receipt.
type held struct {
	name, body, origin string
	size               uint64
	root               []byte
	signatures         []signature
	receipt            *receipt
}

type signature struct {
	name string
	blob []byte
}

type receipt struct {
	line   []byte
	index  uint64
	hashes [][]byte
}

var (
	signatureLine = regexp.MustCompile(`^— ([^+\s\p{C}\p{Z}]+) (\S+)$`)
	decimal       = regexp.MustCompile(`^(0|[1-9][0-9]{0,18})$`)
	onSheets      = regexp.MustCompile(`^arbiter\.(game\.started|colours\.corrected|colours\.settled|game\.ended|finding\.made|finding\.withdrawn|facts\.checked|claim\.pending|claim\.settled)\.`)
)

// newVerifier reads a verifier key. The library alone would accept capital letters in its hash.
func newVerifier(text string) (note.Verifier, error) {
	if !keyLike.MatchString(text) {
		return nil, fmt.Errorf("not a key")
	}
	return fnote.NewVerifier(text)
}

// take reads a file of evidence.
func (c *check) take(of file) {
	switch text := string(of.content); of.kind {
	case "sheets":
		c.sheets = append(c.sheets, of)
	case "table":
		c.tables = append(c.tables, of)
	case "keys", "own keys":
		if of.kind == "own keys" && slices.ContainsFunc(c.keys, key.house) {
			return // the archive's own key counts only without another one
		} else if of.kind == "own keys" {
			fmt.Fprintf(&c.out, "REMARK: the key comes from the archive itself: compare it with the key that the organiser has published: %s\n", strings.TrimSpace(text))
		}
		current := ""
		for _, word := range strings.Fields(text) {
			verifier, err := newVerifier(word)
			if err != nil {
				c.say(2, "%s: not a key, or miscopied", of.name)
				continue
			}
			one := key{Verifier: verifier, text: word}
			if current == "" && one.house() {
				current = one.bytes()
			}
			one.now = one.bytes() == current
			if !slices.ContainsFunc(c.keys, func(k key) bool { return k.text == word }) {
				c.keys = append(c.keys, one)
			}
		}
	case "former":
		for _, said := range strings.Split(text, "\n") {
			if strings.TrimSpace(said) != "" {
				c.takeFormer(of.name, said)
			}
		}
	case "checkpoint", "receipt":
		proved := (*receipt)(nil)
		if of.kind == "receipt" {
			proved, text = parseReceipt(text)
		}
		one, ok := parseNote(text)
		if one.name, one.receipt = of.name, proved; !ok || of.kind == "receipt" && proved == nil {
			c.say(2, "%s: its content does not have the format of a %s", of.name, of.kind)
			return
		}
		c.notes = append(c.notes, one)
	default:
		c.say(2, "%s: not a log, score sheets, checkpoint, receipt or key", of.name)
	}
}

// takeFormer reads a line of arbiter.former: a key, then the origin and the size of a log, or the word stolen.
func (c *check) takeFormer(name, said string) {
	text, rest, _ := strings.Cut(said, " ")
	cut := strings.LastIndex(rest, " ")
	verifier, err := newVerifier(text)
	if err != nil || rest != "stolen" && (cut < 1 || !decimal.MatchString(rest[cut+1:])) {
		c.say(2, "%s: not a list of former keys: %s", name, said)
		return
	}
	of := key{Verifier: verifier, text: text}.bytes()
	if c.former[of] = append(c.former[of], limit{}); rest != "stolen" {
		size, _ := strconv.ParseUint(rest[cut+1:], 10, 64)
		c.former[of][len(c.former[of])-1] = limit{rest[:cut], size}
	}
}

// counts says whether a signature of a key counts on a checkpoint: always, if the key is in force or no limit of it is given.
func (c *check) counts(k key, one held) bool {
	limits := c.former[k.bytes()]
	return k.now || len(limits) == 0 || slices.ContainsFunc(limits, func(l limit) bool { return l.origin == one.origin && one.size <= l.size })
}

func parseNote(text string) (one held, ok bool) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	cut := strings.LastIndex(text, "\n\n")
	if cut < 0 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }) {
		return one, false
	}
	one.body = text[:cut+1]
	for _, said := range strings.Split(strings.TrimSuffix(text[cut+2:], "\n"), "\n") {
		parts := signatureLine.FindStringSubmatch(said)
		if parts == nil {
			return one, false
		}
		blob, err := unbase64(parts[2])
		if err != nil || len(blob) < 5 {
			return one, false
		}
		one.signatures = append(one.signatures, signature{parts[1], blob})
	}
	lines := strings.Split(strings.TrimSuffix(one.body, "\n"), "\n")
	if len(lines) < 3 || slices.Contains(lines, "") || !decimal.MatchString(lines[1]) {
		return one, false
	}
	size, err1 := strconv.ParseInt(lines[1], 10, 64)
	root, err2 := unbase64(lines[2])
	one.origin, one.size, one.root = lines[0], uint64(size), root
	return one, err1 == nil && err2 == nil && len(root) == 32
}

func parseReceipt(text string) (*receipt, string) {
	top, rest, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(top, "\n")
	if !utf8.ValidString(text) || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "extra ") || !strings.HasPrefix(lines[2], "index ") || !decimal.MatchString(lines[2][6:]) || len(lines) > 66 {
		return nil, rest
	}
	line, bad := unbase64(lines[1][6:])
	index, err := strconv.ParseInt(lines[2][6:], 10, 64)
	one := &receipt{line: line, index: uint64(index)}
	for _, said := range lines[3:] {
		hash, wrong := unbase64(said)
		if wrong != nil || len(hash) != 32 {
			return nil, rest
		}
		one.hashes = append(one.hashes, hash)
	}
	if bad != nil || err != nil {
		return nil, rest
	}
	return one, rest
}

// checkNotes compares checkpoints and receipts with the log, and their signatures with the given keys.
func (c *check) checkNotes(quorum int) {
	used, newest, cosigned := map[string]bool{}, uint64(0), map[string]bool{}
	for _, one := range c.notes {
		newest = max(newest, one.size)
	}
	for _, one := range c.notes {
		lg, signed, now := c.log, false, false
		for _, k := range c.keys {
			mine := slices.DeleteFunc(slices.Clone(one.signatures), func(s signature) bool {
				return s.name != k.Name() || fmt.Sprintf("%x", s.blob[:4]) != fmt.Sprintf("%08x", k.KeyHash())
			})
			bad := slices.ContainsFunc(mine, func(s signature) bool { return !k.Verify([]byte(one.body), s.blob[4:]) })
			if !bad && !c.counts(k, one) {
				continue
			}
			used[k.text] = used[k.text] || len(mine) > 0 && !bad
			signed = signed || len(mine) > 0 && !bad && k.house()
			now = now || len(mine) > 0 && !bad && k.house() && k.now
			if k.witness() && len(mine) > 0 && !bad && one.size == newest {
				cosigned[k.text] = true
			}
			if bad {
				c.say(1, "%s: the signature of %s is invalid", one.name, k.Name())
			}
		}
		if signed && !now {
			fmt.Fprintf(&c.out, "REMARK: %s: it is signed with a former key of the operator\n", one.name)
		}
		r := one.receipt
		switch {
		case one.origin != lg.origin || one.size >= uint64(len(lg.roots)) || !bytes.Equal(lg.roots[one.size], one.root):
			c.say(1, "%s: no root of %s, which has %d lines: %s %d", one.name, lg.origin, len(lg.lines), one.origin, one.size)
		case r != nil && proof.VerifyInclusion(hasher, r.index, one.size, hasher.HashLeaf(r.line), r.hashes, one.root) != nil:
			c.say(1, "%s: its proof does not connect its line with its root", one.name)
		case !signed && slices.ContainsFunc(c.keys, key.house):
			c.say(1, "%s: no given key verifies its signature", one.name)
		case !signed:
			c.say(3, "%s: its signature was not checked, because the operator's key was not given", one.name)
		}
	}
	houses := slices.DeleteFunc(slices.Clone(c.keys), func(k key) bool { return !k.house() })
	if len(c.notes) > 0 && len(houses) > 0 && !slices.ContainsFunc(houses, func(k key) bool { return used[k.text] }) {
		c.say(1, "the key %s signed none of the given checkpoints", houses[0].Name())
	}
	witnesses := slices.DeleteFunc(slices.Clone(c.keys), func(k key) bool { return !k.witness() })
	if quorum == 0 {
		quorum = len(witnesses)
	}
	if len(cosigned) < quorum {
		code := 1
		if len(c.notes) == 0 {
			code = 3
		}
		c.say(code, "the checkpoint at %d lines: %d of %d witnesses cosigned it", newest, len(cosigned), quorum)
	}
	for _, k := range c.keys {
		if strings.HasPrefix(k.text, "services/") && !slices.ContainsFunc(c.log.services["/"+k.Name()], func(s serviceKey) bool { return s.text == k.text }) {
			c.say(1, "%s is not among the keys in the log", k.Name())
		}
	}
	published := slices.ContainsFunc(c.log.lines, func(l line) bool { return strings.HasPrefix(l.Type, "arbiter.standings.published.") })
	if len(c.notes) == 0 && len(houses) > 0 && !published {
		c.say(3, "a key was given without a checkpoint to verify")
	}
}

// checkSheets checks the score sheets: order, roots, signatures, and the digests in the log.
func (c *check) checkSheets() {
	lg, byGame, games := c.log, map[string][]line{}, []string{}
	for _, of := range c.sheets {
		of.kind = "sheets"
		for n, l := range c.lines(of) {
			if !strings.HasPrefix(l.Subject, "games/") {
				c.say(1, "%s, line %d: it belongs to %s", of.name, n+1, l.Subject)
			}
			if l.Basis < 0 || l.Basis >= len(lg.roots) || b64.EncodeToString(lg.roots[l.Basis]) != l.BasisRoot {
				c.say(1, "%s, line %d: its basisroot is not the root of the first %d lines of the log", of.name, n+1, l.Basis)
			}
			if byGame[l.Subject] == nil {
				games = append(games, l.Subject)
			}
			byGame[l.Subject] = append(byGame[l.Subject], l)
		}
	}
	for _, game := range games {
		c.inOrder(byGame[game], "sheet of "+game+", ")
		c.signatures(lg, byGame[game], "sheet of "+game+", ")
	}
	if len(c.sheets) == 0 && slices.ContainsFunc(lg.lines, func(l line) bool { return onSheets.MatchString(l.Type) }) {
		c.say(3, "decisions on score sheets: the score sheets were not given")
	}
	for n, l := range lg.lines {
		said := l.Data.Sheet
		if said == nil || len(c.sheets) == 0 {
			continue
		}
		sheet, digest := byGame[fmt.Sprintf("games/%v", l.Data.Game)], sha256.New()
		for _, one := range sheet[:max(0, min(said.Lines, len(sheet)))] {
			digest.Write(append(slices.Clone(one.raw), '\n'))
		}
		if len(sheet) < said.Lines || fmt.Sprintf("%x", digest.Sum(nil)) != said.SHA256 {
			c.say(1, "line %d: the score sheet of %v is not the one that the log refers to", n+1, l.Data.Game)
		}
	}
}
