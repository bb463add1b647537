package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// derived is a table that was derived from a log, or the reason why it was not.
type derived struct {
	tournament  string
	seq, rounds int
	codes       []string
	rows        []row
	reason      string
}

// published is an event that publishes a table.
type published struct {
	line, basis int
	Tiebreaks   []string `json:"tiebreaks"`
	Rules       string   `json:"rules"`
	Round       int      `json:"round"`
	Digest      string   `json:"digest"`
}

// table derives the standings after a number of rounds (all: -1). Without names of tie-breaks, those of the event rank.
func (b *book) table(seq int, names []string, edition string, after int) derived {
	if b.format == "" || b.rules == nil {
		b.stop("no event, or no regulations")
	}
	d := derived{tournament: b.id, seq: seq, codes: []string{}}
	fail := func(format string, args ...any) derived {
		d.reason, d.rows = fmt.Sprintf(format, args...), nil
		return d
	}
	if b.odd != "" {
		return fail("%s", b.odd)
	}
	if b.memo = map[string]int{}; names == nil {
		names, edition = b.ownCodes(), b.rules.Ranking.Rules
	}
	if odd := unknownMember(edition, "2024", "2026"); odd != "" {
		return fail("the edition %s of C.07", odd)
	}
	codes := []code{}
	for _, name := range b.codes(names) {
		c, known := readCode(name)
		if !known || slices.Contains(d.codes, name) {
			return fail("the tie-break %q", name)
		}
		codes, d.codes = append(codes, c), append(d.codes, name)
	}
	f := b.readField(after)
	d.rounds, d.rows = f.rounds, f.rank(codes, edition)
	if b.odd != "" { // found while it was computed
		return fail("%s", b.odd)
	}
	return d
}

// number is a number of quarters in JSON.
func number(quarters int) json.RawMessage {
	return json.RawMessage(strconv.FormatFloat(float64(quarters)/4, 'f', -1, 64))
}

func (d derived) values(r row) map[string]json.RawMessage {
	said := map[string]json.RawMessage{}
	for _, name := range d.codes {
		if v := r.values[name]; v.defined {
			said[name] = number(v.quarters)
		} else {
			said[name] = json.RawMessage("null")
		}
	}
	return said
}

// listed is a row as a published table has it.
type listed struct {
	ID       int                        `json:"id"`
	Points   json.RawMessage            `json:"points"`
	Rank     int                        `json:"rank"`
	Tiebreak map[string]json.RawMessage `json:"tb"`
}

// claimed is a whole table as it is published, in the order of its members (RFC 8785).
type claimed struct {
	Players    []listed `json:"players"`
	Rounds     int      `json:"rounds"`
	Seq        int      `json:"seq"`
	Tiebreaks  []string `json:"tiebreaks"`
	Tournament string   `json:"tournament"`
}

func (d derived) claimed() claimed {
	said := claimed{[]listed{}, d.rounds, d.seq, d.codes, d.tournament}
	for _, r := range d.rows {
		said.Players = append(said.Players, listed{r.id, number(2 * r.points), r.rank, d.values(r)})
	}
	return said
}

func encoded(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes())
}

// answer is the table as -table prints it.
func (d derived) answer() []byte {
	if d.reason != "" {
		return encoded(struct {
			Derived bool   `json:"derived"`
			Reason  string `json:"reason"`
		}{false, d.reason})
	}
	type out struct {
		Rank   int                        `json:"rank"`
		ID     string                     `json:"id"`
		Points int                        `json:"points_half"`
		Values map[string]json.RawMessage `json:"tiebreaks"`
	}
	rows := []out{}
	for _, r := range d.rows {
		rows = append(rows, out{r.rank, strconv.Itoa(r.id), r.points, d.values(r)})
	}
	return encoded(struct {
		Derived bool  `json:"derived"`
		Rows    []out `json:"rows"`
	}{true, rows})
}

// deriveTables derives the table of each publication, from the lines that it was computed from, and the table of all lines.
func (lg *log) deriveTables() (each []published, tables []derived, now derived) {
	for n, l := range lg.lines {
		p := published{line: n + 1, basis: l.Basis}
		if kindOfEvent(l) == "standings.published" {
			if json.Unmarshal(l.raw, &struct{ Data *published }{&p}) != nil {
				p.Rules = "unreadable"
			}
			each = append(each, p)
		}
	}
	slices.SortStableFunc(each, func(a, b published) int { return a.basis - b.basis })
	b, next := newBook(), 0
	for n := 0; n <= len(lg.lines); n++ {
		for ; next < len(each) && each[next].basis <= n; next++ {
			tables = append(tables, b.table(n, append([]string{}, each[next].Tiebreaks...), each[next].Rules, each[next].Round))
		}
		if n < len(lg.lines) {
			b.take(lg.lines[n], n+1)
		}
	}
	return each[:next], tables, b.table(len(lg.lines), nil, "", -1)
}

// checkTables compares the tables that the log and the files claim with those derived from the log alone.
func (c *check) checkTables() {
	each, tables, now := c.log.deriveTables()
	agree, open := 0, now.reason
	for i, p := range each {
		digest := fmt.Sprintf("%x", sha256.Sum256(encoded(tables[i].claimed())))
		switch {
		case tables[i].reason != "":
			open = tables[i].reason
		case digest == p.Digest:
			agree++
		default:
			c.say(1, "line %d: the table published after round %d is not the one that its first %d lines give", p.line, p.Round, p.basis)
		}
	}
	for _, of := range c.tables {
		c.compare(of, now)
	}
	if open != "" {
		fmt.Fprintf(&c.out, "Table not derived: %s\n", open)
	} else {
		fmt.Fprintf(&c.out, "Table derived from the log alone: %d rows; %d of %d published tables are equal\n", len(now.rows), agree, len(each))
	}
	c.derived, c.now = open == "", now
}

// compare names the rows of a given table that differ from those derived from the whole log.
func (c *check) compare(of file, now derived) {
	var said claimed
	if json.Unmarshal(of.content, &said) != nil {
		c.say(map[bool]int{true: 1, false: 2}[c.archive != nil], "%s: not a table", of.name)
		return
	}
	if now.reason != "" {
		return
	}
	right := now.claimed()
	if said.Seq != right.Seq || said.Rounds != right.Rounds || said.Tournament != right.Tournament || !slices.Equal(said.Tiebreaks, right.Tiebreaks) {
		c.say(1, "%s: the table after %d lines, %d rounds, by %q; the log gives %d lines, %d rounds, %q", of.name, said.Seq, said.Rounds, said.Tiebreaks, right.Seq, right.Rounds, right.Tiebreaks)
	}
	for i := range max(len(said.Players), len(right.Players)) {
		one, other := []byte("nobody"), []byte("nobody")
		if i < len(said.Players) {
			one = encoded(said.Players[i])
		}
		if i < len(right.Players) {
			other = encoded(right.Players[i])
		}
		if !bytes.Equal(one, other) {
			c.say(1, "%s: row %d is %s; the log gives %s", of.name, i+1, one, other)
		}
	}
}
