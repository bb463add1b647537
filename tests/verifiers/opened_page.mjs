// All of verify.html's program, in a document of which only what that program uses is there. Reads one JSON object per line
// (files, and what is typed: keys, printed, quorum), opens the page anew for it, and prints the report that the page then shows.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";

class Element {
  children = []; dataset = {}; value = ""; own = ""; classList = { toggle() {} };
  constructor(tag) { this.tag = tag; }
  get tBodies() { return [this.body ??= new Element("tbody")]; }
  get tHead() { return this.head ??= new Element("thead"); }
  get options() { return this.children; }
  get valueAsNumber() { return parseFloat(this.value); }
  get textContent() { return this.own + this.children.map(one => one.textContent).join("\n"); }
  set textContent(text) { this.own = text; this.children = []; }
  append(...more) { this.children.push(...more); }
  replaceChildren(...others) { this.own = ""; this.children = others; }
  setAttribute() {}
  focus() {}
}

Map.groupBy ??= (items, of) => items.reduce((map, item) => map.set(of(item), [...map.get(of(item)) ?? [], item]), new Map());
Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const script = /<script type="module">([^]*?)<\/script>/.exec(readFileSync(process.argv[2], "utf8"))[1];
let opened = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const { files, ...typed } = JSON.parse(line), parts = {};
  const part = id => parts[id] ??= new Element("div");
  globalThis.document = { documentElement: { lang: "" }, getElementById: part, querySelectorAll: () => [], createElement: tag => new Element(tag), addEventListener() {} };
  await import(`data:text/javascript;base64,${Buffer.from(`${script}\n//${opened++}`).toString("base64")}`);
  await part("files").onchange({ target: { files: files.map(name => new File([readFileSync(name)], basename(name))) } });
  for (const [id, text] of Object.entries(typed)) part(id).value = text;
  if (part("check").disabled) throw new Error("there is nothing to check");
  await part("check").onclick();
  const report = part("report"), own = report.children.find(one => one.id === "own");
  console.log(JSON.stringify({ verdict: report.dataset.verdict, said: report.textContent, own: own?.textContent ?? null }));
}
