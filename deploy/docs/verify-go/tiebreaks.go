package main

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// value is a tie-break in quarters; undefined values come last. With less, the smaller is the better.
type value struct {
	quarters      int
	defined, less bool
}

func count(n int, less bool) value { return value{4 * n, true, less} }

// code is a tie-break with its modifiers (C.07 14).
type code struct {
	name, base       string
	low, high, limit int
	asGames, reverse bool
}

// modifiers are those that each known tie-break may have.
var modifiers = map[string]string{
	"PTS": "", "BH": "CMP", "SB": "CP", "PS": "C", "WIN": "", "WON": "", "BPG": "", "BWG": "", "REP": "", "GE": "", "STD": "", "TPN": "R", "SNO": "R", "KS": "L",
	"FOULS": "", "WARNED": "", "BARRED": "", "DE": "P", "DE/A": "", "PO": "", "LOT": "",
}

var modifier = regexp.MustCompile(`^(?:([CM])([1-9][0-9]?)|(L)([+-][1-9][0-9]?)|(P)|(R))$`)

// readCode returns a tie-break; false for one that this program does not know, or that is written in another way.
func readCode(name string) (code, bool) {
	base, rest, _ := strings.Cut(name, "/")
	if name == "DE/A" {
		base, rest = name, ""
	}
	allowed, known := modifiers[base]
	c := code{name: name, base: base}
	if !known || rest == "" {
		return c, known && (name == base)
	}
	last := -1
	for _, part := range strings.Split(rest, "/") {
		m := modifier.FindStringSubmatch(part)
		if m == nil || !strings.Contains(allowed, part[:1]) || strings.Index("CMLPR", part[:1]) <= last || part[0] == 'M' && last == 0 {
			return c, false
		}
		last = strings.Index("CMLPR", part[:1])
		number, _ := strconv.Atoi(m[2] + m[4])
		switch part[0] {
		case 'C':
			c.low = number
		case 'M':
			c.low, c.high = number, number
		case 'L':
			c.limit = number
		case 'P':
			c.asGames = true
		case 'R':
			c.reverse = true
		}
	}
	return c, true
}

// grouped says that a tie-break compares players who are equal so far.
func (c code) grouped() bool { return slices.Contains([]string{"DE", "DE/A", "PO", "LOT"}, c.base) }

// parts says that a tie-break may still part players who share a place.
func (c code) parts() bool { return c.base == "PO" || c.base == "LOT" }

// value returns a tie-break that a player has alone.
func (f *field) value(c code, who int, edition string) value {
	if c.asGames {
		f = f.asGames()
	}
	p, number := f.rules.Points, func(counts func(turn) bool) value {
		n := 0
		for _, t := range f.turns[who] {
			if counts(t) {
				n++
			}
		}
		return count(n, false)
	}
	won := func(t turn) bool { return t.points == p.Win && !t.void() }
	switch c.base {
	case "PTS":
		return value{2 * f.own[who], true, false}
	case "BH", "SB":
		return value{f.opponents(who, edition, c.base == "SB", c.low, c.high), true, false}
	case "PS":
		return f.progressive(who, c.low)
	case "WIN":
		return number(func(t turn) bool {
			return won(t) && (t.kind != "bye" || f.rules.Ranking.ByeWins) && (t.kind != "forfeit" || f.rules.Ranking.ForfeitWin)
		})
	case "WON":
		return number(func(t turn) bool { return won(t) && t.overBoard() })
	case "BPG":
		return number(func(t turn) bool { return t.black && t.overBoard() })
	case "BWG":
		return number(func(t turn) bool { return t.black && won(t) && t.overBoard() })
	case "REP", "GE":
		return number(func(t turn) bool { return t.counted && f.elected(t) })
	case "STD":
		return f.standard(who)
	case "TPN", "SNO":
		return count(f.players[who].number, !c.reverse)
	case "KS":
		return f.koya(who, c.limit)
	}
	return f.conduct(c.base, who)
}

// opponents is Buchholz, or Sonneborn-Berger (C.07 8.1, 9.1), without the lowest and highest contributions (14, 16.5).
func (f *field) opponents(who int, edition string, byPoints bool, low, high int) int {
	type part struct {
		score, worth, round int
		unplayed            bool
	}
	parts, sum := []part{}, 0
	for _, t := range f.turns[who] {
		score, unplayed := 0, false
		switch {
		case f.meets(t) && f.rules.Ranking.Unmet == "c07":
			score = f.adjusted[t.opponent]
		case f.meets(t):
			score = f.own[t.opponent]
		case f.rules.Ranking.Unmet != "c07" || t.void() || f.table && t.opponent == 0:
			continue
		default: // A dummy with the player's own score (16.4), from 2026 on at most the scheduled opponent's, or a draw in every round.
			score, unplayed = f.own[who], !f.elected(t)
			if edition == "2026" && t.opponent != 0 {
				score = min(score, f.adjusted[t.opponent])
			} else if edition == "2026" {
				score = min(score, f.rules.Points.Draw*f.rounds)
			}
		}
		worth := 2 * score
		if byPoints {
			worth = score * t.points
		}
		parts = append(parts, part{score, worth, t.round, unplayed})
	}
	slices.SortFunc(parts, func(a, b part) int {
		for _, by := range []int{a.score - b.score, a.worth - b.worth, a.round - b.round} {
			if by != 0 {
				return by
			}
		}
		return 0
	})
	for ; low > 0 && len(parts) > 0; low-- {
		cut := 0 // A voluntarily unplayed round is left out before a lower one that was played (16.5).
		least := -1
		for i, one := range parts {
			if one.unplayed && (least < 0 || one.worth < parts[least].worth) {
				least = i
			}
		}
		if least >= 0 && parts[least].worth >= parts[0].worth {
			cut = least
		}
		parts = slices.Delete(parts, cut, cut+1)
	}
	for _, one := range parts[:max(0, len(parts)-high)] {
		sum += one.worth
	}
	return sum
}

// progressive is the sum of the scores after each round but the first ones (000-A 破同分 2, C.07 7.5).
func (f *field) progressive(who, first int) value {
	sum, score := 0, 0
	for _, t := range f.turns[who] {
		if t.void() {
			continue
		}
		score += t.points
		if t.round <= first {
			continue
		}
		sum += score
		for _, d := range f.ruled[who] {
			if d.round <= t.round && f.rules.Ranking.Deductions == "counted" {
				sum += d.points
			}
		}
	}
	return value{2 * sum, true, false}
}

// standard counts rounds with more points than the opponent's, and half of those with as many (C.07 7.7).
func (f *field) standard(who int) value {
	v := value{0, true, false}
	for i, t := range f.turns[who] {
		against := f.rules.Points.Draw
		if t.kind == "played" && i < len(f.turns[t.opponent]) {
			against = f.turns[t.opponent][i].points
		}
		if !t.void() && t.points > against {
			v.quarters += 4
		} else if !t.void() && t.points == against {
			v.quarters += 2
		}
	}
	return v
}

// koya is the score against opponents with half of all possible points (C.07 9.2, 14.5).
func (f *field) koya(who, limit int) value {
	v := value{0, true, false}
	for _, t := range f.turns[who] {
		games := f.rounds
		if f.table {
			games = 0
			for _, other := range f.turns[t.opponent] {
				if other.opponent != 0 && other.counted {
					games++
				}
			}
		}
		if f.meets(t) && 2*f.own[t.opponent] >= f.rules.Points.Win*games+2*limit {
			v.quarters += 2 * t.points
		}
	}
	return v
}

// conduct counts a player's rulings: fouls (002-X 15), disqualifications and warnings for misconduct (18.4).
func (f *field) conduct(base string, who int) value {
	n, misconduct := 0, []string{}
	if d := f.rules.Ranking.Discipline; d != nil {
		misconduct = d.Infractions
	}
	for _, id := range f.on[who] {
		r := f.rulings[id]
		counts := slices.Contains(misconduct, r.infraction)
		switch base {
		case "FOULS":
			counts = r.counter == "foul"
		case "WARNED":
			counts = counts && r.kind == "warn"
		case "BARRED":
			counts = counts && slices.Contains([]string{"set_marks", "exclude", "expel"}, r.kind)
		}
		if !counts || !f.covers(r) || !f.inForce(id) {
			continue
		}
		if g := f.games[r.game]; !f.rules.Ranking.Fouls && g != nil && (f.annuls(g.white) || f.annuls(g.black)) {
			continue
		}
		n++
	}
	return count(n, true)
}

// mutual returns the points against the others of a group, as the mean of several games, and how many were not met (6.1.2).
func (f *field) mutual(who int, group []int) (*big.Rat, int) {
	sums, games := map[int]int64{}, map[int]int64{}
	for _, t := range f.turns[who] {
		if f.meets(t) && t.opponent != who && slices.Contains(group, t.opponent) {
			sums[t.opponent] += int64(t.points)
			games[t.opponent]++
		}
	}
	total := new(big.Rat)
	for other, sum := range sums {
		total.Add(total, big.NewRat(sum, games[other]))
	}
	return total, len(group) - 1 - len(games)
}
