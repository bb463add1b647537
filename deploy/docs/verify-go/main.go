// Command verify-go checks a log or an archive of Arbiter without Arbiter's code:
// verify-go [-table] [-quorum N] LOG | ARCHIVE.zip [SHEETS | KEY | FORMER | CHECKPOINT | RECEIPT | TABLE]...
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

const usage = "verify-go [-table] [-quorum N] LOG | ARCHIVE.zip [SHEETS | KEY | FORMER | CHECKPOINT | RECEIPT | TABLE]..."

// file is a given file, or one of an archive; kind is what its content or its name in the archive says.
type file struct {
	name, kind string
	content    []byte
}

// check collects what is wrong with the given files.
type check struct {
	out                          strings.Builder
	fault, open, refused, public bool
	derived                      bool    // every table
	now                          derived // the table of the whole log
	log                          *log
	archive                      map[string][]byte
	sheets, tables               []file
	keys                         []key
	former                       map[string][]limit // of former keys, by the key's bytes
	notes                        []held
}

// say prints a fault (1), what could not be checked (3), or a file that cannot be used (2).
func (c *check) say(code int, format string, args ...any) {
	c.fault, c.open, c.refused = c.fault || code == 1, c.open || code == 3, c.refused || code == 2
	fmt.Fprintf(&c.out, map[int]string{1: "FAULT: ", 2: "NOT READABLE: ", 3: "NOT CHECKED: "}[code]+format+"\n", args...)
}

// exit is the verdict: 2 a file cannot be used, 1 something differs, 3 something was not checked, 0 all agrees.
func (c *check) exit() int {
	switch {
	case c.refused:
		return 2
	case c.fault:
		return 1
	case c.open:
		return 3
	}
	return 0
}

var (
	keyLike    = regexp.MustCompile(`^[^+\s]+\+[0-9a-f]{8}\+`)
	formerLike = regexp.MustCompile(`^[^+\s]+\+[0-9a-f]{8}\+\S+ (?:stolen|\S+ \d+)\s*(?:\n|$)`)
)

// kindOf recognises a file by its name, as keys and score sheets are stored, or else by its content.
func kindOf(of file) string {
	content := of.content
	switch text := string(content); {
	case strings.HasSuffix(of.name, ".vkey"):
		return "keys"
	case strings.HasSuffix(of.name, "sheets.ndjson"):
		return "sheets"
	case strings.HasPrefix(text, "PK\x03\x04"):
		return "archive"
	case strings.HasPrefix(text, "c2sp.org/tlog-proof@"):
		return "receipt"
	case strings.Contains(text, "\n\n— "):
		return "checkpoint"
	case formerLike.MatchString(strings.TrimSpace(text)):
		return "former"
	case keyLike.MatchString(strings.TrimSpace(text)):
		return "keys"
	case isSheets(content):
		return "sheets"
	case json.Valid(content) && strings.Contains(text, `"players"`):
		return "table"
	}
	return "unknown"
}

// verify checks the files, the log or archive first; quorum witnesses must have cosigned the newest checkpoint, 0: all given.
func verify(files []file, quorum int) *check {
	c := &check{former: map[string][]limit{}, now: derived{reason: "the log cannot be read"}}
	logs, rest := files[:1], files[1:]
	if kindOf(files[0]) == "archive" {
		contents, err := unzipped(files[0].content)
		if err == nil && contents["log.ndjson"] == nil {
			err = fmt.Errorf("log.ndjson is missing")
		}
		if err != nil {
			c.say(2, "%s: not an archive as the server writes it: %v", files[0].name, err)
			return c
		}
		c.archive, logs = contents, []file{{"log.ndjson", "log", contents["log.ndjson"]}}
		for _, one := range []file{{"sheets.ndjson", "sheets", nil}, {"checkpoint.txt", "checkpoint", nil}, {"cosigned.txt", "checkpoint", nil}, {"arbiter.vkey", "own keys", nil}, {"standings.json", "table", nil}} {
			if content, ok := contents[one.name]; ok {
				rest = append(rest, file{one.name, one.kind, content})
			}
		}
	}
	if !isLog(logs[0].content) {
		c.say(2, "%s: not a log: no line is a CloudEvent of a tournament", logs[0].name)
		return c
	}
	for _, one := range rest {
		if one.kind == "" {
			one.kind = kindOf(one)
		}
		c.take(one)
	}
	c.log = c.readLog(logs[0])
	c.checkSheets()
	c.checkNotes(quorum)
	if c.archive != nil {
		c.checkArchive()
	}
	c.checkTables()
	public := ""
	if c.public && c.exit() == 0 {
		public = "; names and notes are not included"
	}
	fmt.Fprintf(&c.out, "%d events of %s were checked: exit code %d%s\n", len(c.log.lines), c.log.origin, c.exit(), public)
	fmt.Fprintln(&c.out, "Not checked here: decisions, roles, texts"+map[bool]string{false: ", tables"}[c.derived])
	return c
}

func read(names []string) (files []file, err error) {
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, content: content})
	}
	return files, nil
}

func main() {
	quorum := flag.Int("quorum", 0, "number of the given witnesses that must have cosigned the newest checkpoint; 0: all of them")
	cases := flag.Bool("cases", false, "read many cases from standard input, one JSON list of files per line, and print each exit code")
	table := flag.Bool("table", false, "print the derived table as JSON, and the report on standard error; with -cases the table in place of the exit code")
	flag.Parse()
	for in := bufio.NewReader(os.Stdin); *cases; {
		text, end := in.ReadBytes('\n')
		var names []string
		if end != nil || json.Unmarshal(bytes.TrimSpace(text), &names) != nil {
			return
		}
		files, _ := read(names)
		if c := verify(files, *quorum); *table {
			fmt.Printf("%s\n", c.now.answer())
		} else {
			fmt.Println(c.exit())
		}
	}
	files, err := read(flag.Args())
	if err != nil || len(files) == 0 || len(files[0].content) == 0 {
		fmt.Fprintln(os.Stderr, usage+": the log has no line, or a file cannot be read:", err)
		os.Exit(2)
	}
	c := verify(files, *quorum)
	if *table {
		fmt.Fprint(os.Stderr, c.out.String())
		fmt.Printf("%s\n", c.now.answer())
	} else {
		fmt.Print(c.out.String())
	}
	os.Exit(c.exit())
}
