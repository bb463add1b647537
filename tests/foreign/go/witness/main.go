// Command witness is transparency-dev's C2SP witness (c2sp.org/tlog-witness) for one log, on a free port of this machine.
//
//	witness ORIGIN LOG-VKEY WITNESS-SKEY
//
// It prints its address, and forgets everything when it ends.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/witness/persistence/inmemory"
	"github.com/transparency-dev/witness/witness"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	origin := os.Args[1]
	house, err := note.NewVerifier(os.Args[2])
	check(err)
	signer, err := fnote.NewSignerForCosignatureV1(os.Args[3])
	check(err)
	made, err := witness.New(context.Background(), witness.Opts{
		Persistence: inmemory.New(),
		Signers:     []note.Signer{signer},
		VerifierForLog: func(_ context.Context, of string) (note.Verifier, bool, error) {
			return house, of == origin, nil
		},
	})
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	http.HandleFunc("POST /add-checkpoint", witness.NewHTTPHandler(made).AddCheckpoint)
	fmt.Printf("http://%s\n", listener.Addr())
	check(http.Serve(listener, nil))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
