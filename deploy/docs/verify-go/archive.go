package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const mostBytes, mostFiles, mostRatio, freeBytes = 1 << 30, 64, 100, 1 << 24
const withheld = "texts.ndjson: what people wrote is given to officials and auditors alone"

var (
	fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	lineEnd  = regexp.MustCompile(`\r\n|[\n\r\v\f\x1c-\x1e\x{85}\x{2028}\x{2029}]`)
	tables   = []string{"regulations.json", "standings.json", "standings.csv", "crosstable.json", "crosstable.csv", "tournament.trf", "tournament.trf26"}
	known    = append([]string{"README.txt", "archive.json", "missing.txt", "log.ndjson", "sheets.ndjson", "texts.ndjson", "names.json", "checkpoint.txt", "cosigned.txt", "arbiter.vkey", "services.vkey", "teams.json", "teams.csv"}, tables...)
)

// head is what an entry's own header and its record in the directory both state.
type head struct {
	Need, Flags, Method, Time, Date uint16
	CRC, Packed, Size               uint32
	Named, Extra                    uint16
}

type header struct {
	Magic uint32
	head
}

type record struct {
	Magic uint32
	Made  uint16
	head
	Comment, Disk, Internal uint16
	Attributes, Offset      uint32
}

type ending struct {
	Magic                    uint32
	Disk, First, Here, Count uint16
	Length, Directory        uint32
	Comment                  uint16
}

func decode[T any](content []byte, at int) (value T, err error) {
	if at < 0 || at > len(content) {
		return value, io.ErrUnexpectedEOF
	}
	return value, binary.Read(bytes.NewReader(content[at:]), binary.LittleEndian, &value)
}

// unzipped returns the files of an archive, which has one form: entries back to back, the directory directly behind them, the
// end record last, headers equal to the directory, no name twice, no comment, no encryption.
func unzipped(content []byte) (map[string][]byte, error) {
	place := len(content) - 22
	end, err := decode[ending](content, place)
	directory := int(end.Directory)
	if err != nil || end.Magic != 0x06054b50 || end.Disk != 0 || end.First != 0 || end.Here != end.Count || end.Comment != 0 || directory+int(end.Length) != place || end.Count > mostFiles {
		return nil, fmt.Errorf("its end record does not describe one directory directly before it")
	}
	files, names, total, at, start := map[string][]byte{}, map[string]bool{}, 0, directory, 0
	type entry struct {
		head
		packed []byte
	}
	entries := map[string]entry{}
	for range end.Count {
		listed, err1 := decode[record](content, at)
		own, err2 := decode[header](content, start)
		named := int(listed.Named)
		begin := start + 30 + named
		if err1 != nil || err2 != nil || at+46+named > place || begin+int(listed.Packed) > directory {
			return nil, fmt.Errorf("its directory is cut off")
		}
		name, mode := string(content[at+46:at+46+named]), listed.Attributes>>28
		lower := strings.ToLower(name)
		total += int(listed.Size)
		if listed.Magic != 0x02014b50 || own.Magic != 0x04034b50 || own.head != listed.head || listed.Extra != 0 || listed.Comment != 0 || listed.Disk != 0 || int(listed.Offset) != start || string(content[start+30:begin]) != name || !fileName.MatchString(name) || names[lower] || listed.Flags != 0 || listed.Method != 0 && listed.Method != 8 || mode != 0 && mode != 8 || total > mostBytes || listed.Size > freeBytes && int(listed.Size) > mostRatio*int(listed.Packed) {
			return nil, fmt.Errorf("entry %q does not have the form of an archive", name)
		}
		names[lower], entries[name] = true, entry{listed.head, content[begin : begin+int(listed.Packed)]}
		at, start = at+46+named, begin+int(listed.Packed)
	}
	if start != directory || at != place {
		return nil, fmt.Errorf("its entries, its directory and its end record do not follow each other without gaps")
	}
	for name, one := range entries {
		unpacked, rest := one.packed, 0
		if one.Method == 8 {
			packed := bytes.NewReader(one.packed)
			unpacked, err = io.ReadAll(io.LimitReader(flate.NewReader(packed), int64(one.Size)+1))
			rest = packed.Len()
		}
		if err != nil || rest != 0 || len(unpacked) != int(one.Size) || crc32.ChecksumIEEE(unpacked) != one.CRC {
			return nil, fmt.Errorf("the content of %s cannot be unpacked", name)
		}
		files[name] = append([]byte{}, unpacked...)
	}
	return files, nil
}

// checkArchive compares an archive's description, lists and keys with its log.
func (c *check) checkArchive() {
	missing, has := string(c.archive["missing.txt"]), func(name string) bool { _, ok := c.archive[name]; return ok }
	stated := lineEnd.Split(missing, -1)
	if last := len(stated) - 1; stated[last] == "" {
		stated = stated[:last]
	}
	hidden := has("names.json") && !has("texts.ndjson")
	if i := slices.Index(stated, withheld); hidden && i >= 0 {
		c.public, stated = true, slices.Delete(stated, i, i+1)
	}
	for _, one := range stated[:min(len(stated), 100)] {
		c.say(3, "the archive states that this is missing: %q", one)
	}
	var about map[string]any
	if utf8.Valid(c.archive["archive.json"]) {
		_ = json.Unmarshal(c.archive["archive.json"], &about)
	}
	root := fmt.Sprintf("%x", c.log.roots[len(c.log.roots)-1])
	software, stating := about["software"]
	if has("archive.json") && (!stating || about["archive"] != 1.0 || about["tournament"] != c.log.tournament || about["seq"] != float64(c.log.total) || about["root"] != root) {
		c.say(1, "archive.json describes a different log")
	} else if has("archive.json") && has("README.txt") && !strings.Contains(string(c.archive["README.txt"]), fmt.Sprintf("Arbiter %v\n", software)) {
		c.say(3, "README.txt and archive.json name different versions of the software")
	}
	keys := ""
	for _, source := range c.log.sources {
		for _, one := range c.log.services[source] {
			keys += one.text + "\n"
		}
	}
	if has("services.vkey") && string(c.archive["services.vkey"]) != keys {
		c.say(1, "services.vkey differs from the keys in the log")
	}
	needed := slices.DeleteFunc([]string{"README.txt", "archive.json", "checkpoint.txt", "arbiter.vkey"}, func(name string) bool { return strings.Contains(missing, name) })
	if keys != "" {
		needed = append(needed, "services.vkey")
	}
	if hidden && !c.public || !hidden && !has("texts.ndjson") {
		needed = append(needed, "texts.ndjson")
	}
	if slices.ContainsFunc(c.log.lines, func(l line) bool { return strings.HasPrefix(l.Type, "arbiter.regulations.adopted.") }) {
		needed = append(needed, tables...)
	}
	for _, name := range needed {
		if !has(name) {
			c.say(3, "%s: missing from the archive", name)
		}
	}
	for name := range c.archive {
		if !slices.Contains(known, name) {
			c.say(3, "%s: unknown file in an archive", name)
		}
	}
}
