// The program of verify.html without its page: reads one JSON list of files per line, and prints the verdict of each.
// With "words" as the second argument, each answer has the log's sentences too, and what each event is about.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";

Map.groupBy ??= (items, of) => items.reduce((map, item) => map.set(of(item), [...map.get(of(item)) ?? [], item]), new Map());
const script = /<script type="module">([^]*?)<\/script>/.exec(readFileSync(process.argv[2], "utf8"))[1].split("// ---------------------------------------------------------------- the page")[0];
const parts = "taken, verify, replayed, callsBy, sentenceOf, inWords, authorOf, aboutOf";
const { taken, verify, replayed, callsBy, sentenceOf, inWords, authorOf, aboutOf } = await import(`data:text/javascript;base64,${Buffer.from(`${script}\nexport { ${parts} };`).toString("base64")}`);

/** Each event in English and Chinese, its author, and its players, rounds and rulings. */
function wordsOf({ log, names }) {
  const s = replayed(log.lines, Infinity, true), call = callsBy(s, names);
  return log.lines.map(line => ({ said: [0, 1].map(tongue => [inWords(sentenceOf(line, s, call), tongue), authorOf(line, s, tongue)]), about: Object.fromEntries(Object.entries(aboutOf(line, s)).map(([name, set]) => [name, [...set]])) }));
}

for await (const line of createInterface({ input: process.stdin })) {
  const given = await Promise.all(JSON.parse(line).map(name => taken(new File([readFileSync(name)], basename(name)))));
  const files = given.flatMap(file => [file, ...file.inside ?? []]);
  const report = await verify(files, files.filter(file => file.kind === "keys" && !file.own).map(file => file.text), "", NaN, () => {});
  const said = [...report.findings.map(f => [f.what, f.from, f.to, ...f.said]), ...report.opened.map(o => [o.what, ...o.said])];
  const words = process.argv[3] === "words" ? wordsOf(report) : undefined;
  console.log(JSON.stringify({ verdict: report.verdict, public: report.public, own: report.own.length > 0, said: said.slice(0, 999), table: report.table, counts: report.counts, remarks: report.remarks.map(r => r.what), words }));
}
