package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// points are the half-points of results and byes.
type points struct {
	Win     int `json:"win"`
	Draw    int `json:"draw"`
	Loss    int `json:"loss"`
	Pairing int `json:"pairing_bye"`
	Full    int `json:"full_bye"`
	Half    int `json:"half_bye"`
	Zero    int `json:"zero_bye"`
}

// ruleset has the values of adopted regulations that a table depends on.
type ruleset struct {
	Decisions int               `json:"decisions"`
	Stages    []json.RawMessage `json:"stages"`
	Points    points            `json:"points"`
	Leaving   struct {
		Place string `json:"annulled_place"`
	} `json:"leaving"`
	Ranking struct {
		Tiebreaks  []string `json:"tiebreaks"`
		Rules      string   `json:"rules"`
		Unshared   int      `json:"unshared"`
		PartedBy   string   `json:"parted_by"`
		ByeWins    bool     `json:"bye_wins"`
		ForfeitWin bool     `json:"forfeit_wins"`
		Unmet      string   `json:"unmet"`
		Encounter  string   `json:"encounter"`
		Fouls      bool     `json:"annulled_fouls"`
		Deductions string   `json:"progressive_deductions"`
		Orders     []struct {
			Formats   []string `json:"formats"`
			Of        string   `json:"of"`
			Tiebreaks []string `json:"tiebreaks"`
		} `json:"orders"`
		Discipline *struct {
			Infractions []string `json:"infractions"`
			Ranks       *bool    `json:"ranks"`
			Equally     string   `json:"equally_punished"`
		} `json:"discipline"`
	} `json:"ranking"`
}

// mark is one side's result; a result without "counted" counts.
type mark struct {
	Points  int   `json:"points"`
	Played  bool  `json:"played"`
	Counted *bool `json:"counted"`
}

type absence struct {
	first, last, seq int
	annuls, forfeit  bool // the results do not count; games without a result are forfeited
	ruling           string
}

type player struct {
	number  int
	left    *absence
	earlier []absence
}

type game struct {
	round, white, black, seq int
	started, reversed        bool
	result, corrected        *[2]mark
	rulings                  []string
}

type board struct {
	Game  string `json:"game"`
	White int    `json:"white"`
	Black int    `json:"black"`
}

type pairing struct {
	round, number, seq int
	stage              string
	withdrawn          bool
	boards             []board
	byes               map[int]string
}

type ruling struct {
	player, round, seq                 int
	infraction, kind, counter, finding string
	white, black                       *mark
	points                             *int
	rounds                             []int
	game, rung                         string
	because, notes                     []string
}

type lot struct {
	order []int
	seq   int
}

// book is the state of a tournament after some lines of its log, as far as its table depends on it.
type book struct {
	id, format, odd                        string // odd: why no table is derived
	tiebreaks                              []string
	rules                                  *ruleset
	players                                map[int]*player
	pairings                               []*pairing
	games                                  map[string]*game
	byes                                   map[[2]int]string
	rulings                                map[string]*ruling
	made                                   []string // rulings in the order of the log
	on                                     map[int][]string
	annulled, resulted, steps              map[string][]string
	annulments, lapsed, wrong, replacedOne map[string]bool
	lots                                   []lot
	counts                                 map[string]int
	memo                                   map[string]int
}

func newBook() *book {
	return &book{players: map[int]*player{}, games: map[string]*game{}, byes: map[[2]int]string{}, rulings: map[string]*ruling{}, annulled: map[string][]string{}, resulted: map[string][]string{}, steps: map[string][]string{}, annulments: map[string]bool{}, lapsed: map[string]bool{}, on: map[int][]string{}, wrong: map[string]bool{}, replacedOne: map[string]bool{}, counts: map[string]int{}}
}

// stop notes the first reason why no table can be derived.
func (b *book) stop(format string, args ...any) {
	if b.odd == "" {
		b.odd = fmt.Sprintf(format, args...)
	}
}

// versions are the known event types, each with its newest known version.
var versions = func() map[string]int {
	known := map[string]int{}
	for _, word := range strings.Fields(`tournament.announced/5 tournament.corrected/1 listing.set/1 regulations.adopted/5 official.appointed/2 official.dismissed/1
		player.entered/2 entry.corrected/1 identity.stated/1 visibility.set/1 venue-notice.set/1 starting-numbers.assigned/2 player.withdrew/2 bye.granted/1 round.paired/2
		pairing.withdrawn/2 pairing.upheld/1 text.erased/1 player.returned/1 player.checked-in/1 pairs.forbidden/1
		virtual-points.given/1 board.fixed/1 team.entered/1 lineup.handed-in/1 lot.drawn/2 game.started/2 colours.corrected/1
		colours.settled/1 game.ended/1 finding.made/3 claim.pending/1 claim.settled/1 finding.withdrawn/1 facts.checked/1
		result.reported/1 result.corrected/1 statement.made/1 call.made/1 arrival.noted/2 arrival.corrected/1 break.taken/2 break.corrected/1
		finding.answered/1 ruling.made/2 ruling.annulled/2 appeal.lodged/2 appeal.decided/1 crossing.noted/1
		standings.published/2 checkpoint.restarted/1 report-file.kept/1 key.announced/2`) {
		kind, newest, _ := strings.Cut(word, "/")
		known[kind], _ = strconv.Atoi(newest)
	}
	return known
}()

// kindOfEvent returns the name of an event's type without its version, or "" if it is unknown.
func kindOfEvent(l line) string {
	kind, number, _ := strings.Cut(strings.TrimPrefix(l.Type, "arbiter."), ".v")
	version, err := strconv.Atoi(number)
	if err != nil || version < 1 || version > versions[kind] {
		return ""
	}
	return kind
}

// data has the members of the events that change a table.
type data struct {
	Format     string   `json:"format"`
	Tiebreaks  []string `json:"tiebreaks"`
	Conditions struct {
		Team json.RawMessage `json:"team"`
	} `json:"conditions"`
	Regulations json.RawMessage `json:"regulations"`
	Player      int             `json:"player"`
	Number      int             `json:"starting_number"`
	Numbers     []struct {
		Player int `json:"player"`
		Number int `json:"number"`
	} `json:"numbers"`
	After    int    `json:"after_round"`
	First    int    `json:"first_round"`
	Stand    bool   `json:"results_stand"`
	Unplayed string `json:"unplayed"`
	Ruling   string `json:"ruling"`
	Round    int    `json:"round"`
	Kind     string `json:"kind"`
	Pairing  int    `json:"pairing"`
	Boards   []board
	Byes     []struct {
		Player int    `json:"player"`
		Kind   string `json:"kind"`
	} `json:"byes"`
	Stage        string                     `json:"stage"`
	Groups       [][]int                    `json:"groups"`
	Played       any                        `json:"played"`
	Order        []int                      `json:"order"`
	Game         string                     `json:"game"`
	Reversed     bool                       `json:"reversed"`
	White        *mark                      `json:"white"`
	Black        *mark                      `json:"black"`
	Finding      string                     `json:"finding"`
	Contradicted map[string]json.RawMessage `json:"contradicted"`
	Corrects     string                     `json:"corrects"`
	Annuls       string                     `json:"annuls"`
	Infraction   string                     `json:"infraction"`
	Counter      string                     `json:"counter"`
	Because      []string                   `json:"because"`
	Arrival      string                     `json:"arrival"`
	Breaks       []string                   `json:"breaks"`
	Rung         *struct {
		Rule   string `json:"rule"`
		Player int    `json:"player"`
		Scope  string `json:"scope"`
		Count  int    `json:"count"`
	} `json:"rung"`
	Effect struct {
		Kind   string `json:"kind"`
		White  *mark  `json:"white"`
		Black  *mark  `json:"black"`
		Points *int   `json:"points"`
		Rounds []int  `json:"rounds"`
	} `json:"effect"`
}

const never = math.MaxInt
const mostRounds = 1000

// take applies one line of the log; seq is its number.
func (b *book) take(l line, seq int) {
	if l.SourceSeq <= b.counts[l.Source] {
		return // repeated
	}
	b.counts[l.Source] = l.SourceSeq
	kind := kindOfEvent(l)
	if kind == "" {
		b.stop("line %d: unknown type of event %q", seq, l.Type)
		return
	}
	switch kind {
	case "tournament.corrected", "listing.set", "official.appointed", "official.dismissed", "entry.corrected", "identity.stated", "visibility.set", "venue-notice.set", "pairing.upheld", "text.erased", "player.checked-in", "pairs.forbidden", "virtual-points.given", "board.fixed", "lineup.handed-in", "colours.settled", "finding.made", "claim.pending", "claim.settled", "statement.made", "call.made", "arrival.noted", "break.taken", "finding.answered", "appeal.lodged", "appeal.decided", "crossing.noted", "standings.published", "checkpoint.restarted", "report-file.kept", "key.announced":
		return
	}
	var event struct{ Data data }
	if err := json.Unmarshal(l.raw, &event); err != nil {
		b.stop("line %d: the members of %q cannot be read", seq, l.Type)
		return
	}
	d := &event.Data
	switch kind {
	case "tournament.announced", "regulations.adopted", "team.entered":
		b.takeTerms(kind, d, seq, l.Subject)
	case "player.entered", "starting-numbers.assigned", "player.withdrew", "player.returned", "bye.granted":
		b.takeEntry(kind, d, seq)
	case "round.paired":
		b.takePairing(d, seq)
	case "pairing.withdrawn":
		b.withdrawPairing(d)
	case "lot.drawn":
		if len(d.Order) > 0 {
			b.lots = append(b.lots, lot{d.Order, seq})
		}
	case "ruling.made":
		b.takeRuling(d, seq)
	case "ruling.annulled":
		b.annulments[d.Ruling] = true
		b.annulled[d.Annuls] = append(b.annulled[d.Annuls], d.Ruling)
	case "finding.withdrawn":
		b.lapsed[d.Finding] = true
	case "facts.checked":
		b.wrong[d.Ruling] = len(d.Contradicted) > 0
	case "arrival.corrected", "break.corrected":
		b.replacedOne[d.Corrects] = true
	default:
		b.takeGame(kind, d, seq)
	}
}

// unknownMember returns the first of these values that none of the choices is, or "".
func unknownMember(value string, choices ...string) string {
	if slices.Contains(choices, value) {
		return ""
	}
	return strconv.Quote(value)
}
