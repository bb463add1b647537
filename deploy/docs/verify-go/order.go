package main

import (
	"cmp"
	"math/big"
	"slices"
)

// row is a row of a derived table.
type row struct {
	rank, id, points int
	values           map[string]value
}

func better(a, b value) int {
	switch {
	case a.defined != b.defined:
		return map[bool]int{true: -1, false: 1}[a.defined]
	case a.less:
		return cmp.Compare(a.quarters, b.quarters)
	}
	return cmp.Compare(b.quarters, a.quarters)
}

// ranking orders players by points, then by one tie-break after the other.
type ranking struct {
	*field
	codes  []code
	values map[int]map[string]value
}

// rank returns the rows of the table.
func (f *field) rank(codes []code, edition string) (rows []row) {
	r := &ranking{f, codes, map[int]map[string]value{}}
	everybody := []int{}
	for who := range f.players {
		everybody, r.values[who] = append(everybody, who), map[string]value{}
		for _, c := range codes {
			if !c.grouped() {
				r.values[who][c.name] = f.value(c, who, edition)
			}
		}
	}
	slices.Sort(everybody)
	// A player whose results are annulled is last, if the regulations say so (002-X 20.3).
	last := func(who int) bool { return f.rules.Leaving.Place == "last" && f.annuls(who) }
	groups := parted(everybody, func(a, b int) int {
		if last(a) != last(b) {
			return map[bool]int{true: 1, false: -1}[last(a)]
		}
		return cmp.Compare(f.own[b], f.own[a])
	})
	for _, group := range groups {
		for _, equal := range r.split(group, 0) {
			rank := len(rows) + 1
			slices.SortFunc(equal, func(a, b int) int {
				return cmp.Or(cmp.Compare(f.players[a].number, f.players[b].number), cmp.Compare(a, b))
			})
			for _, who := range equal {
				rows = append(rows, row{rank, who, f.own[who], r.values[who]})
			}
		}
	}
	return rows
}

// parted returns the players in groups of equals, the best first.
func parted(players []int, compare func(a, b int) int) (groups [][]int) {
	players = slices.Clone(players)
	slices.SortStableFunc(players, compare)
	for i, who := range players {
		if i > 0 && compare(players[i-1], who) == 0 {
			groups[len(groups)-1] = append(groups[len(groups)-1], who)
		} else {
			groups = append(groups, []int{who})
		}
	}
	return groups
}

// split parts a group of equals by the tie-breaks from one on.
func (r *ranking) split(group []int, from int) [][]int {
	if len(group) == 1 || from == len(r.codes) {
		return [][]int{group}
	}
	c, next := r.codes[from], from+1
	punished := r.shared(group[0])
	if punished && from >= 2 && !c.parts() {
		return r.split(group, r.nextParting(next))
	}
	if c.grouped() {
		for who, v := range r.among(c, group) {
			r.values[who][c.name] = v
		}
		if c.base == "DE/A" && r.rules.Ranking.Encounter == "shared" && r.values[group[0]][c.name].defined {
			next = r.nextParting(next)
		}
	}
	split := [][]int{}
	for _, part := range parted(group, func(a, b int) int { return better(r.values[a][c.name], r.values[b][c.name]) }) {
		split = append(split, r.split(part, next)...)
	}
	return split
}

// shared says whether a player is punished, and equally punished ones share their place (002-X 18.4).
func (r *ranking) shared(who int) bool {
	d := r.rules.Ranking.Discipline
	if d == nil || d.Equally == "next" || len(r.codes) < 2 || r.codes[0].name != "BARRED" || r.codes[1].name != "WARNED" {
		return false
	}
	return r.values[who]["BARRED"].quarters+r.values[who]["WARNED"].quarters > 0
}

func (r *ranking) nextParting(from int) int {
	for from < len(r.codes) && !r.codes[from].parts() {
		from++
	}
	return from
}

// among returns a tie-break of players who are equal so far.
func (r *ranking) among(c code, group []int) map[int]value {
	f, values := r.field, map[int]value{}
	if c.asGames {
		f = f.asGames()
	}
	switch c.base {
	case "LOT":
		for _, drawn := range slices.Backward(f.lots) {
			if slices.ContainsFunc(group, func(who int) bool { return !slices.Contains(drawn.order, who) }) {
				continue
			}
			place := 0
			for _, who := range drawn.order {
				if slices.Contains(group, who) {
					place++
					values[who] = count(place, true)
				}
			}
			break
		}
	case "PO":
		for _, who := range group {
			for _, t := range f.playOff[who] {
				if !t.void() && slices.Contains(group, t.opponent) {
					values[who] = value{values[who].quarters + 2*t.points, true, false}
				}
			}
		}
	case "DE/A":
		for _, who := range group {
			if _, missing := f.mutual(who, group); missing > 0 {
				return values
			}
		}
		f.encounter(group, 1, values)
	case "DE":
		f.encounter(group, 1, values)
	}
	return values
}

// encounter gives the places of direct encounter, from the first one given. All who have met are parted by their points
// (C.07 6.2). Else only a player whom nobody can reach any more is parted from the others (6.3).
func (f *field) encounter(group []int, first int, places map[int]value) {
	scores, most, open := map[int]*big.Rat{}, map[int]*big.Rat{}, false
	for _, who := range group {
		score, missing := f.mutual(who, group)
		scores[who], open = score, open || missing > 0
		most[who] = new(big.Rat).Add(score, big.NewRat(int64(missing)*int64(f.rules.Points.Win), 1))
	}
	ranked := parted(group, func(a, b int) int { return scores[b].Cmp(scores[a]) })
	if open {
		leader := ranked[0][0]
		rest := slices.DeleteFunc(slices.Clone(group), func(who int) bool { return who == leader })
		reached := slices.ContainsFunc(rest, func(who int) bool { return most[who].Cmp(scores[leader]) >= 0 })
		ranked = map[bool][][]int{true: {group}, false: {{leader}, rest}}[reached]
	}
	for _, part := range ranked {
		if len(part) > 1 && len(ranked) > 1 {
			f.encounter(part, first, places)
		} else {
			for _, who := range part {
				places[who] = count(first, true)
			}
		}
		first += len(part)
	}
}
