// Command verify-go checks a log of Arbiter without Arbiter's code: verify-go [-quorum N] LOG [KEY | CHECKPOINT | RECEIPT]...
package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"os"
	"slices"
	"strings"
)

type line struct {
	Subject, Source, CausationID, BasisRoot, Signature string
	SourceSeq, Basis                                   int
	Data                                               struct{ Origin, Key, Keys any }
}

var (
	hasher, b64         = rfc6962.DefaultHasher, base64.StdEncoding.Strict()
	roots               = [][]byte{hasher.EmptyRoot()}                          // of the first 0, 1, 2, ... lines
	services, since     = map[string][]note.Verifier{}, map[note.Verifier]int{} // each source's keys in their order; the line that a source has seen to whom the key before is no longer good
	newest, heads, exit = uint64(0), map[uint64][]note.Signature{}, 0           // good signatures of good checkpoints, by their lines
)

// say prints a fault (1) or what could not be checked (3); the worst becomes the exit code.
func say(code int, format string, args ...any) {
	fmt.Printf(map[int]string{1: "FAULT: ", 3: "NOT CHECKED: "}[code]+format+"\n", args...)
	exit = map[bool]int{true: code, false: exit}[code == 1 || exit == 0]
}

// chain reads the lines, of which so many end: whole, in order, each on the root of its basis.
func chain(raws []string, ends int) (_ []string, log []line) {
	counts, tree := map[string]int{}, (&compact.RangeFactory{Hash: hasher.HashChildren}).NewEmptyRange(0)
	for n, raw := range raws {
		var l line
		err := cmp.Or(json.Unmarshal([]byte(raw), &l), map[int]error{ends: fmt.Errorf("the file was cut off here")}[n])
		if counts[l.Source]++; err != nil || l.SourceSeq != counts[l.Source] || n > 0 && l.Subject != log[0].Subject {
			say(1, "line %d: %s, %s %d, where %d is next: %v", n+1, l.Subject, l.Source, l.SourceSeq, counts[l.Source], err)
		} else if l.Basis < 0 || l.Basis > n || b64.EncodeToString(roots[l.Basis]) != l.BasisRoot {
			say(1, "line %d: its basisroot is not the root of the first %d lines", n+1, l.Basis)
		}
		_ = tree.Append(hasher.HashLeaf([]byte(raw)), nil)
		root, _ := tree.GetRootHash(nil)
		log, roots = append(log, l), append(roots, root)
	}
	return raws, log
}

// announced takes a service's key from line n: its own, or one that pairing announces, or for pairing standings.
func announced(n int, by, text string) {
	of, _, _ := strings.Cut("/"+text, "+")
	if key, err := note.NewVerifier(text); err == nil && (by == of || by == "/services/pairing" || by+of == "/services/standings/services/pairing") {
		services[of], since[key] = append(services[of], key), map[bool]int{false: n}[by == of]
	}
}

// record checks the signature of what one command wrote of one source: it stands in the last of its lines, the n-th.
func record(n int, raws []string, log []line) {
	l, good := log[len(log)-1], false
	named, _ := log[0].Data.Keys.([]any)
	for _, key := range named {
		announced(n, l.Source, fmt.Sprint(key))
	}
	body, last := strings.CutSuffix(strings.Join(raws, "\n"), `,"signature":"`+l.Signature+`"}`)
	digest, keys := sha256.Sum256([]byte(body+"}")), services[l.Source]
	signature, err := b64.DecodeString(l.Signature[min(9, len(l.Signature)):])
	for i, key := range keys {
		good = good || (i == len(keys)-1 || l.Basis < since[keys[i+1]]) && last && err == nil && strings.HasPrefix(l.Signature, fmt.Sprintf("%08x:", key.KeyHash())) && key.Verify(digest[:], signature)
	}
	if (len(services) > 0 || l.Signature != "") && !good {
		say(map[bool]int{true: 3, false: 1}[l.Signature == ""], "line %d: its record has no valid signature of %s", n, l.Source)
	}
	announced(n, l.Source, fmt.Sprint(log[0].Data.Key))
}

// opened checks a checkpoint, or a receipt (a line, its proof, and a checkpoint), against the log of this origin.
func opened(file, text, origin string, keys note.Verifiers) {
	size, index, of, root, head, leaf, words := uint64(0), uint64(0), "", "", "", "", [][]byte{}
	if strings.HasPrefix(text, "c2sp.org/tlog-proof@v1\n") {
		head, text, _ = strings.Cut(text, "\n\n")
	}
	n, err := note.Open([]byte(text), keys)
	_, unknown := err.(*note.UnverifiedNoteError)
	_, bad := fmt.Sscanf(text, "%s\n%d\n%s\n", &of, &size, &root)
	_, none := fmt.Sscanf(head, "c2sp.org/tlog-proof@v1\nextra %s\nindex %d", &leaf, &index)
	for _, word := range strings.Fields(head) { // of a receipt: the format's name, "extra", the line, "index", its number, and hashes
		decoded, _ := b64.DecodeString(word)
		words = append(words, decoded)
	}
	if err != nil && !unknown || bad != nil || of != origin || size >= uint64(len(roots)) || b64.EncodeToString(roots[size]) != root {
		say(1, "%s: no root of %s, which has %d lines: %s %d %v", file, origin, len(roots)-1, of, size, err)
	} else if head != "" && (none != nil || proof.VerifyInclusion(hasher, index, size, hasher.HashLeaf(words[2]), words[5:], roots[size]) != nil) {
		say(1, "%s: its proof does not connect its line with its root", file)
	} else if unknown || !slices.ContainsFunc(n.Sigs, func(s note.Signature) bool { return strings.HasPrefix(origin, s.Name+"/") }) {
		say(3, "%s: its signature was not checked, because the operator's key was not given", file)
	} else {
		heads[size], newest = append(heads[size], n.Sigs...), max(newest, size)
	}
}

func main() {
	quorum := flag.Int("quorum", 0, "so many of the witnesses whose keys are given must have cosigned the newest checkpoint; 0: all of them")
	flag.Parse()
	keys, witnesses, names, texts, failed := []note.Verifier{}, []string{}, []string{}, []string{}, error(nil)
	for _, file := range flag.Args() {
		text, err := os.ReadFile(file)
		failed = cmp.Or(failed, err)
		for _, word := range strings.Fields(cmp.Or(strings.TrimSpace(string(text)), "nothing")) {
			if key, bad := fnote.NewVerifier(word); bad != nil {
				names, texts = append(names, file), append(texts, string(text))
				break
			} else if !slices.Contains(witnesses, word) {
				keys, witnesses = append(keys, key), append(witnesses, word)
			}
		}
	}
	if failed != nil || strings.TrimSpace(append(texts, "")[0]) == "" {
		fmt.Fprintln(os.Stderr, "verify-go [-quorum N] LOG [KEY | CHECKPOINT | RECEIPT]...: the log has no line, or a file cannot be read:", failed)
		os.Exit(2)
	}
	raws, log := chain(strings.Split(strings.TrimSuffix(texts[0], "\n"), "\n"), strings.Count(texts[0], "\n"))
	for first, n := 0, 1; n <= len(log); n++ {
		if n == len(log) || log[n].CausationID != log[first].CausationID || log[n].Source != log[first].Source {
			record(n, raws[first:n], log[first:n])
			first = n
		}
	}
	origin := cmp.Or(strings.TrimPrefix(fmt.Sprint(log[0].Data.Origin), "<nil>"), "arbiter/"+strings.TrimPrefix(log[0].Subject, "tournaments/"))
	for i, text := range texts[1:] {
		opened(names[i+1], text, origin, note.VerifierList(keys...))
	}
	witnesses = slices.DeleteFunc(witnesses, func(key string) bool { return strings.SplitN(key, "+", 3)[2][0] != 'B' }) // 4: cosignatures
	have := slices.DeleteFunc(slices.Clone(witnesses), func(key string) bool {
		return !slices.ContainsFunc(heads[newest], func(s note.Signature) bool { return strings.HasPrefix(key, fmt.Sprintf("%s+%08x+", s.Name, s.Hash)) })
	})
	if want := cmp.Or(*quorum, len(witnesses)); len(have) < want {
		say(map[bool]int{true: 3, false: 1}[len(heads) == 0], "the checkpoint at %d lines: %d of %d witnesses cosigned it", newest, len(have), want)
	}
	fmt.Printf("%d lines of %s were checked: exit code %d\nNot checked here: decisions, offices, that a line has one meaning, score sheets, texts\n", len(log), origin, exit)
	os.Exit(exit)
}
