package main

import "slices"

// turn is a player's round. Its kind is "played", "forfeit", "open", "bye", or "none" for a player who has no seat.
type turn struct {
	round, points, opponent int
	kind, bye               string
	counted, black          bool
}

// deduction is a ruling with effect on a player's points.
type deduction struct{ round, points int }

// field has everybody's rounds, and what they are worth to others.
type field struct {
	*book
	rounds          int // that give points; later ones are of a play-off
	table           bool
	turns           map[int][]turn
	ruled           map[int][]deduction
	own, adjusted   map[int]int
	playOff         map[int][]turn
	last, allPaired int
	withGames       *field // as asGames returns it
}

func (b *book) current(round int) *pairing {
	for _, one := range b.pairings {
		if one.round == round && !one.withdrawn {
			return one
		}
	}
	return nil
}

// readField returns the records after a number of rounds; all rounds if it is negative.
func (b *book) readField(after int) *field {
	f := &field{book: b, table: b.format == "round_robin" || b.format == "double_round_robin", turns: map[int][]turn{}, ruled: map[int][]deduction{}, own: map[int]int{}, adjusted: map[int]int{}, playOff: map[int][]turn{}}
	ordinary := 0
	for _, one := range b.pairings {
		if !one.withdrawn {
			f.allPaired = max(f.allPaired, one.round)
			if one.stage != "play_off" {
				ordinary = max(ordinary, one.round)
			}
		}
	}
	f.last = f.allPaired
	if after >= 0 {
		f.last = min(after, f.allPaired)
	}
	f.rounds = min(f.last, ordinary)
	for round := 1; round <= f.last; round++ {
		seats := b.seats(round)
		for who := range b.players {
			at, seated := seats[who]
			if round > f.rounds {
				if seated {
					f.playOff[who] = append(f.playOff[who], at)
				}
				continue
			}
			if !seated {
				at = b.unseated(who, round)
			}
			f.turns[who] = append(f.turns[who], at)
		}
	}
	for _, id := range b.made {
		if r := b.rulings[id]; r.points != nil && r.player != 0 && f.covers(r) && b.hasEffect(id) {
			f.ruled[r.player] = append(f.ruled[r.player], deduction{r.round, *r.points})
		}
	}
	f.sum()
	return f
}

// covers says whether a ruling is on a round of this table; a table of all rounds covers every ruling.
func (f *field) covers(r *ruling) bool { return r.round <= f.last || f.last >= f.allPaired }

// seats returns the rounds of all who sit at a board or have a bye of the pairing.
func (b *book) seats(round int) map[int]turn {
	at := map[int]turn{}
	one := b.current(round)
	if one == nil {
		return at
	}
	for who, kind := range one.byes {
		at[who] = turn{round: round, kind: "bye", bye: kind, points: b.byeWorth(kind), counted: true}
	}
	for _, seat := range one.boards {
		g := b.games[seat.Game]
		both := b.result(g)
		void := both != nil && (b.annuls(g.white) || b.annuls(g.black))
		for i, who := range []int{g.white, g.black} {
			t := turn{round: round, kind: "open", opponent: []int{g.black, g.white}[i], counted: true, black: (i == 1) != g.reversed}
			if both != nil {
				m := both[i]
				t.kind = map[bool]string{true: "played", false: "forfeit"}[m.Played]
				t.counted = (m.Counted == nil || *m.Counted) && !void
				if t.counted {
					t.points = m.Points
				}
			}
			at[who] = t
		}
	}
	return at
}

// unseated is the round of a player whom the pairing does not name: a requested bye, or an absence.
func (b *book) unseated(who, round int) turn {
	if kind := b.byes[[2]int{who, round}]; kind != "" {
		return turn{round: round, kind: "bye", bye: kind, points: b.byeWorth(kind), counted: true}
	}
	return turn{round: round, kind: "none", bye: "Z", points: b.rules.Points.Zero, counted: true}
}

func (b *book) byeWorth(kind string) int {
	p := b.rules.Points
	switch kind {
	case "U":
		return p.Pairing
	case "F":
		return p.Full
	case "H":
		return p.Half
	case "Z":
		return p.Zero
	}
	b.stop("the bye %q", kind)
	return 0
}

// void says that a round gives nothing to anybody: it has no result, or one that does not count.
func (t turn) void() bool { return t.kind == "open" || !t.counted }

// overBoard says that a game was played that counts.
func (t turn) overBoard() bool { return t.kind == "played" && t.counted }

// meets says that a round counts as a game with its opponent; in a round robin a forfeit does (C.07 15).
func (f *field) meets(t turn) bool {
	return t.overBoard() || f.table && t.kind == "forfeit" && t.counted
}

// elected is false for a voluntarily unplayed round (C.07 16.2.5): a bye H or Z, an absence, a forfeit loss.
func (f *field) elected(t turn) bool {
	if t.kind == "forfeit" {
		return !t.counted || t.points == f.rules.Points.Win
	}
	return t.bye != "H" && t.bye != "Z"
}

// sum adds up the scores, and the adjusted ones that opponents take (C.07 16.3): a requested bye after which nothing was
// played counts as a draw there, except in a round robin.
func (f *field) sum() {
	for who := range f.players {
		total, gain := 0, 0
		for _, t := range f.turns[who] {
			total += t.points
		}
		for _, d := range f.ruled[who] {
			total += d.points
		}
		for _, t := range slices.Backward(f.turns[who]) {
			if f.table || f.elected(t) {
				break
			}
			if t.kind != "forfeit" {
				gain += f.rules.Points.Draw - t.points
			}
		}
		f.own[who], f.adjusted[who] = total, total+gain
	}
}

// asGames returns the field in which every forfeit is a game with the scheduled opponent (C.07 6.1.1); scores stay.
func (f *field) asGames() *field {
	if f.withGames != nil {
		return f.withGames
	}
	other := *f
	other.turns = map[int][]turn{}
	for who, turns := range f.turns {
		turns = slices.Clone(turns)
		for i, t := range turns {
			if t.kind == "forfeit" && t.counted {
				turns[i].kind = "played"
			}
		}
		other.turns[who] = turns
	}
	f.withGames = &other
	return f.withGames
}
