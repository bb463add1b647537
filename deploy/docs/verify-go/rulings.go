package main

import "slices"

const (
	asking = iota + 1
	holds
	fails
)

// inForce says whether a ruling or an annulment is in force: nothing in force annuls it, and all that it depends on holds.
func (b *book) inForce(id string) bool {
	switch b.memo[id] {
	case asking:
		b.stop("rulings depend on each other in a circle (%q)", id)
		return false
	case holds, fails:
		return b.memo[id] == holds
	}
	b.memo[id] = asking
	r, ok := b.rulings[id], b.rulings[id] != nil || b.annulments[id]
	ok = ok && !slices.ContainsFunc(b.annulled[id], b.inForce)
	if ok && r != nil {
		ok = b.groundsHold(id, r)
	}
	b.memo[id] = map[bool]int{true: holds, false: fails}[ok]
	return ok
}

// groundsHold says whether the finding, facts, arrival or breaks and rulings that a ruling depends on hold. An annulled
// consequence of an arrival or of the last break pardons all its consequences.
func (b *book) groundsHold(id string, r *ruling) bool {
	if b.lapsed[r.finding] && r.finding != "" || b.wrong[id] || slices.ContainsFunc(r.notes, func(note string) bool { return b.replacedOne[note] }) {
		return false
	}
	if len(r.notes) > 0 {
		for _, other := range b.resulted[r.notes[len(r.notes)-1]] {
			if slices.ContainsFunc(b.annulled[other], b.inForce) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(r.because, func(one string) bool { return !b.inForce(one) })
}

// hasEffect says whether a ruling in force has effect: of several on one step of a ladder, only one has. From decision
// edition 2 on it is one that depends on others, if there is one, else the first.
func (b *book) hasEffect(id string) bool {
	r := b.rulings[id]
	if r == nil || !b.inForce(id) {
		return false
	}
	if r.rung == "" {
		return true
	}
	first := ""
	for _, other := range b.steps[r.rung] {
		if !b.inForce(other) {
			continue
		}
		if b.rules.Decisions >= 2 && len(b.rulings[other].because) > 0 {
			return other == id
		}
		if first == "" {
			first = other
			if b.rules.Decisions < 2 {
				break
			}
		}
	}
	return first == id
}

// removed returns the ruling with effect that keeps a player out of a round (002-X 18.2, 18.3), or "".
func (b *book) removed(who, round int) string {
	for _, id := range b.on[who] {
		r := b.rulings[id]
		bars := r.kind == "expel" || r.kind == "exclude" && slices.Contains(r.rounds, round)
		if who != 0 && bars && b.hasEffect(id) {
			return id
		}
	}
	return ""
}

// holdsAbsence says whether a departure is in force: from decision edition 3 on, that of an expulsion only with its ruling.
func (b *book) holdsAbsence(a absence) bool {
	return a.ruling == "" || b.rules.Decisions < 3 || b.hasEffect(a.ruling)
}

func (p *player) departures() []absence {
	if p.left == nil {
		return p.earlier
	}
	return append([]absence{*p.left}, p.earlier...)
}

// annuls says whether a player left too early for the results to count (002-X 20.3).
func (b *book) annuls(who int) bool {
	p := b.players[who]
	return p != nil && p.left != nil && p.left.annuls && b.holdsAbsence(*p.left)
}

// result returns both sides' results of a game, nil while it is open: by the last ruling with effect, else the last
// correction, else the report, else by the removal of a player.
func (b *book) result(g *game) *[2]mark {
	for i := len(g.rulings) - 1; i >= 0; i-- {
		if b.hasEffect(g.rulings[i]) {
			r := b.rulings[g.rulings[i]]
			return &[2]mark{*r.white, *r.black}
		}
	}
	switch {
	case g.corrected != nil:
		return g.corrected
	case g.result != nil:
		return g.result
	case b.rules.Decisions < 3:
		return b.forfeitUntil2(g)
	}
	return b.forfeit(g)
}

// lost returns the results of a game that the marked sides lose without playing it on.
func (b *book) lost(white, black, played bool) *[2]mark {
	if !white && !black {
		return nil
	}
	worth := func(loses bool) mark {
		return mark{Points: map[bool]int{true: b.rules.Points.Loss, false: b.rules.Points.Win}[loses], Played: played}
	}
	return &[2]mark{worth(white), worth(black)}
}

// forfeitUntil2 is the forfeit of decision editions 1 and 2: the first departure of the round decides, whatever its ruling.
func (b *book) forfeitUntil2(g *game) *[2]mark {
	gone := func(who int) bool {
		for _, a := range b.players[who].departures() {
			if a.first <= g.round && g.round <= a.last {
				return a.forfeit
			}
		}
		return false
	}
	return b.lost(gone(g.white), gone(g.black), false)
}

// forfeit is the loss of a removed player. Of two, the first to go has lost; both if both went before the pairing.
func (b *book) forfeit(g *game) *[2]mark {
	white, black := b.goneAt(g, g.white), b.goneAt(g, g.black)
	first := min(white, black)
	if first == never {
		return nil
	}
	return b.lost(white == first || white < g.seq, black == first || black < g.seq, g.started)
}

// goneAt returns the line that removed a player from a game without a result, or never.
func (b *book) goneAt(g *game, who int) int {
	if id := b.removed(who, g.round); id != "" && !b.pardoned(g, id) {
		return b.rulings[id].seq
	}
	for _, a := range b.players[who].departures() {
		missed := a.last == never || g.round <= a.last && (a.first <= g.round || g.seq < a.seq)
		if a.ruling == "" && a.forfeit && missed {
			return a.seq
		}
	}
	return never
}

// pardoned says whether the loss of this game by a removal was annulled.
func (b *book) pardoned(g *game, removal string) bool {
	return slices.ContainsFunc(g.rulings, func(id string) bool {
		r := b.rulings[id]
		return r.infraction == "removal" && len(r.because) > 0 && r.because[0] == removal && slices.ContainsFunc(b.annulled[id], b.inForce)
	})
}

// codes returns the tie-breaks that rank, if a table names these: punishments before them (002-X 18.4), a play-off or lots
// after them (15.6), if the regulations say so.
func (b *book) codes(names []string) []string {
	r, ranked := &b.rules.Ranking, []string{}
	if d := r.Discipline; d != nil && (d.Ranks == nil || *d.Ranks) {
		for _, code := range []string{"BARRED", "WARNED"} {
			if !slices.Contains(names, code) {
				ranked = append(ranked, code)
			}
		}
	}
	ranked = append(ranked, names...)
	last := map[string]string{"play_off": "PO", "lot": "LOT"}[r.PartedBy]
	if b.rules.Decisions >= 2 && r.Unshared != 0 && !slices.Contains(ranked, last) {
		ranked = append(ranked, last)
	}
	return ranked
}

// ownCodes returns the announced tie-breaks, else those of the regulations for the format.
func (b *book) ownCodes() []string {
	if len(b.tiebreaks) > 0 {
		return b.tiebreaks
	}
	for _, order := range b.rules.Ranking.Orders {
		if order.Of == "players" && slices.Contains(order.Formats, b.format) {
			return order.Tiebreaks
		}
	}
	return b.rules.Ranking.Tiebreaks
}
