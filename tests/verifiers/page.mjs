// The program of verify.html without its page: reads one JSON list of files per line, and prints the verdict of each.
// With "table" as the second argument: the table of each log, or why it is not derived.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";

Map.groupBy ??= (items, of) => items.reduce((map, item) => map.set(of(item), [...map.get(of(item)) ?? [], item]), new Map());
const script = /<script type="module">([^]*?)<\/script>/.exec(readFileSync(process.argv[2], "utf8"))[1].split("// ---------------------------------------------------------------- the page")[0];
const { taken, verify } = await import(`data:text/javascript;base64,${Buffer.from(`${script}\nexport { taken, verify };`).toString("base64")}`);

for await (const line of createInterface({ input: process.stdin })) {
  const given = await Promise.all(JSON.parse(line).map(name => taken(new File([readFileSync(name)], basename(name)))));
  const files = given.flatMap(file => [file, ...file.inside ?? []]);
  const report = await verify(files, files.filter(file => file.kind === "keys" && !file.own).map(file => file.text), "", NaN, () => {});
  const said = [...report.findings.map(f => [f.what, f.from, f.to, ...f.said]), ...report.opened.map(o => [o.what, ...o.said])];
  console.log(JSON.stringify({ verdict: report.verdict, public: report.public, own: report.own.length > 0, said: said.slice(0, 9), table: report.table ?? null, counts: report.counts, remarks: report.remarks }));
}
