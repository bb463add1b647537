// Command proofs checks notes with golang.org/x/mod/sumdb/note and proofs with transparency-dev/merkle.
//
// Each line of its input is a JSON object: a note with verifier keys, or an answer of .../proofs/{seq} or .../proofs.
// It prints a line for each: the names that signed the note, "holds", or why not.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
)

type question struct {
	Note             string
	Keys             []string
	Old, Index, Size uint64
	Leaf, Root       []byte
	OldRoot          []byte `json:"old_root"`
	Hashes           [][]byte
}

func main() {
	for in := json.NewDecoder(os.Stdin); in.More(); {
		var q question
		if err := in.Decode(&q); err != nil {
			log.Fatal(err)
		}
		if said, err := answer(q); err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println(said)
		}
	}
}

func answer(q question) (string, error) {
	switch {
	case q.Note != "":
		return signers(q.Note, q.Keys)
	case q.Old != 0:
		return "holds", proof.VerifyConsistency(rfc6962.DefaultHasher, q.Old, q.Size, q.Hashes, q.OldRoot, q.Root)
	default:
		return "holds", proof.VerifyInclusion(rfc6962.DefaultHasher, q.Index, q.Size, q.Leaf, q.Hashes, q.Root)
	}
}

func signers(text string, keys []string) (string, error) {
	var verifiers []note.Verifier
	for _, key := range keys {
		verifier, err := fnote.NewVerifier(key)
		if err != nil {
			return "", err
		}
		verifiers = append(verifiers, verifier)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(verifiers...))
	if err != nil {
		return "", err
	}
	names := []string{}
	for _, signature := range opened.Sigs {
		names = append(names, signature.Name)
	}
	return strings.Join(names, " "), nil
}
