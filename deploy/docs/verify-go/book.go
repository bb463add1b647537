package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// takeTerms reads what is announced, and the values of the regulations. An absent value is the one that older logs mean.
func (b *book) takeTerms(kind string, d *data, seq int, subject string) {
	switch kind {
	case "team.entered":
		b.stop("a team event")
	case "tournament.announced":
		if b.format != "" {
			return
		}
		b.id, b.format, b.tiebreaks = strings.TrimPrefix(subject, "tournaments/"), d.Format, d.Tiebreaks
		if team := string(d.Conditions.Team); team != "" && team != "null" {
			b.stop("a team event")
		}
		if odd := unknownMember(d.Format, "swiss", "round_robin", "double_round_robin", "manual"); odd != "" {
			b.stop("the format %s", odd)
		}
	case "regulations.adopted":
		rules := &ruleset{Decisions: 1}
		rules.Leaving.Place = "last"
		r := &rules.Ranking
		r.PartedBy, r.ByeWins, r.ForfeitWin, r.Unmet, r.Encounter, r.Fouls, r.Deductions = "play_off", true, true, "c07", "next", true, "not_counted"
		if json.Unmarshal(d.Regulations, rules) != nil {
			b.stop("line %d: the regulations cannot be read", seq)
			return
		}
		if len(rules.Stages) > 0 {
			b.stop("an event with stages")
		}
		if rules.Decisions < 1 || rules.Decisions > 3 {
			b.stop("the decision edition %d", rules.Decisions)
		}
		for _, odd := range []string{
			unknownMember(rules.Leaving.Place, "last", "points"), unknownMember(r.PartedBy, "play_off", "lot"), unknownMember(r.Unmet, "c07", "nothing"),
			unknownMember(r.Encounter, "next", "shared"), unknownMember(r.Deductions, "counted", "not_counted"),
		} {
			if odd != "" {
				b.stop("line %d: the value %s of the regulations", seq, odd)
			}
		}
		if r.Discipline != nil && r.Discipline.Equally == "" {
			r.Discipline.Equally = "next"
		}
		b.rules = rules
	}
}

func (b *book) takeEntry(kind string, d *data, seq int) {
	p := b.players[d.Player]
	switch kind {
	case "player.entered":
		if p == nil {
			b.players[d.Player] = &player{number: d.Number}
		}
	case "starting-numbers.assigned":
		for _, one := range d.Numbers {
			if p := b.players[one.Player]; p != nil {
				p.number = one.Number
			}
		}
	case "player.withdrew":
		if p != nil && p.left == nil {
			p.left = &absence{d.After + 1, never, seq, !d.Stand, d.Unplayed == "forfeit", d.Ruling}
		}
	case "player.returned":
		if p != nil && p.left != nil {
			p.left.last = d.First - 1
			p.earlier, p.left = append(p.earlier, *p.left), nil
		}
	case "bye.granted":
		b.byes[[2]int{d.Player, d.Round}] = d.Kind
	}
}

func (b *book) takePairing(d *data, seq int) {
	if d.Round < 1 || d.Round > mostRounds {
		b.stop("line %d: round %d", seq, d.Round)
		return
	}
	if len(d.Groups) > 0 && d.Round > 1 && d.Stage != "play_off" || len(d.Groups) > 1 {
		b.stop("line %d: a stage or groups within the event", seq)
	}
	made := &pairing{d.Round, d.Pairing, seq, d.Stage, false, d.Boards, map[int]string{}}
	for _, other := range b.pairings {
		if other.round == d.Round && !other.withdrawn {
			b.stop("line %d: round %d is paired twice", seq, d.Round)
		}
	}
	for _, one := range d.Byes {
		made.byes[one.Player] = one.Kind
	}
	for _, seat := range d.Boards {
		if b.games[seat.Game] != nil || b.players[seat.White] == nil || b.players[seat.Black] == nil {
			b.stop("line %d: game %q is paired twice, or a seat has no entry", seq, seat.Game)
		}
		b.games[seat.Game] = &game{round: d.Round, white: seat.White, black: seat.Black, seq: seq}
	}
	b.pairings = append(b.pairings, made)
}

// withdrawPairing ends a pairing. From decision edition 3 on, a player who left or came back during it did so before its round.
func (b *book) withdrawPairing(d *data) {
	for _, one := range b.pairings {
		if one.number != d.Pairing || one.withdrawn {
			continue
		}
		one.withdrawn = true
		if d.Played == true {
			b.lots = slices.DeleteFunc(b.lots, func(l lot) bool { return l.seq >= one.seq })
		}
		for _, p := range b.players {
			if b.rules == nil || b.rules.Decisions < 3 {
				break
			}
			if last := len(p.earlier) - 1; p.left != nil && p.left.first == d.Round+1 {
				p.left.first = d.Round
			} else if last >= 0 && p.earlier[last].last == d.Round {
				p.earlier[last].last--
			}
		}
	}
}

func (b *book) takeGame(kind string, d *data, seq int) {
	g := b.games[d.Game]
	if g == nil {
		return
	}
	switch kind {
	case "game.started":
		g.started = true
	case "colours.corrected":
		g.reversed = d.Reversed
	case "result.reported", "game.ended", "result.corrected":
		if d.White == nil || d.Black == nil {
			b.stop("line %d: a result without two sides", seq)
			return
		}
		both := &[2]mark{*d.White, *d.Black}
		if kind == "result.corrected" {
			g.corrected = both
		} else {
			g.result = both
		}
	}
}

func (b *book) takeRuling(d *data, seq int) {
	if b.rulings[d.Ruling] != nil {
		b.stop("line %d: ruling %q is made twice", seq, d.Ruling)
	}
	e := &d.Effect
	r := &ruling{player: d.Player, round: d.Round, seq: seq, infraction: d.Infraction, kind: e.Kind, counter: d.Counter, finding: d.Finding, white: e.White, black: e.Black, points: e.Points, rounds: e.Rounds, game: d.Game, because: d.Because, notes: d.Breaks}
	if odd := unknownMember(e.Kind, "warn", "foul", "adjust_clock", "set_marks", "adjust_points", "exclude", "expel"); odd != "" {
		b.stop("line %d: the effect %s of a ruling", seq, odd)
	}
	if d.Arrival != "" {
		r.notes = []string{d.Arrival}
	}
	if d.Rung != nil {
		step, _ := json.Marshal(d.Rung)
		r.rung = string(step)
		b.steps[r.rung] = append(b.steps[r.rung], d.Ruling)
	}
	if len(r.notes) > 0 {
		last := r.notes[len(r.notes)-1]
		b.resulted[last] = append(b.resulted[last], d.Ruling)
	}
	if g := b.games[d.Game]; g != nil && e.Kind == "set_marks" {
		if e.White == nil || e.Black == nil {
			b.stop("line %d: a ruling on a result without two sides", seq)
			return
		}
		g.rulings = append(g.rulings, d.Ruling)
	}
	b.rulings[d.Ruling] = r
	b.made, b.on[d.Player] = append(b.made, d.Ruling), append(b.on[d.Player], d.Ruling)
}
