// A Swiss of nine rounds through the generated types: `story.js URL CHIEF ARBITER APPEALS` (tokens), the table at the end.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Kind = components["schemas"]["ByeRequest"]["kind"];
type Result = components["schemas"]["BoardResult"]["result"];
interface Change {
  round: number;
  late?: string[];
  byes?: { player: number; kind: Kind }[];
  leave?: number[];
  back?: number[];
}
interface Story {
  id: string;
  name: string;
  game: string;
  regulations: string;
  rounds: number;
  seed: number;
  players: string[];
  before: Change[];
  fouls: { round: number; board: number; notes: string[]; upheld: number };
  results: Result[];
}

const story = JSON.parse(readFileSync("story.json", "utf8")) as Story;
const [url, ...tokens] = process.argv.slice(2);
const [chief, arbiter, appeals] = [0, 1, 2].map((n) =>
  createClient<paths, "application/json">({ baseUrl: url ?? "", headers: { Authorization: `Bearer ${tokens[n] ?? ""}` } }),
) as [Client, Client, Client];
type Client = ReturnType<typeof createClient<paths, "application/json">>;
const path = { t: story.id };

/** The data of an answer that was wanted. */
function expect<T>(answer: { data?: T; error?: unknown }): NonNullable<T> {
  if (answer.data === undefined || answer.data === null) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function seen(): Promise<{ "If-Match": string }> {
  const { response } = await chief.GET("/v1/tournaments/{t}", { params: { path } });
  return { "If-Match": response.headers.get("ETag") ?? "" };
}

async function enter(names: string[]): Promise<void> {
  const players = names.map((name) => ({ name }));
  const entered = expect(await chief.POST("/v1/tournaments/{t}/entries", { params: { path }, body: { players } }));
  if (entered.players.length !== names.length) throw new Error("not all were entered");
}

async function announce(): Promise<void> {
  const { id, name, game, rounds, regulations } = story;
  const officials: components["schemas"]["OfficialRequest"][] = [
    { name: "rivera", role: "arbiter", person: "Tomás Rivera" },
    { name: "solheim", role: "appeals" },
  ];
  const planned = { discipline: game, rounds_planned: rounds };
  const body = { id, name, ...planned, format: "swiss", regulations, officials } as const;
  expect(await chief.POST("/v1/tournaments", { body: { ...body, officials } }));
  await enter(story.players);
}

/** Who comes, stays away for a round, leaves and comes back before it. */
async function prepare(round: number): Promise<void> {
  for (const change of story.before.filter((one) => one.round === round)) {
    for (const name of change.late ?? []) await enter([name]);
    for (const { player, kind } of change.byes ?? []) {
      expect(await chief.POST("/v1/tournaments/{t}/byes", { params: { path }, body: { player, round, kind } }));
    }
    for (const p of change.leave ?? []) {
      const left = { params: { path: { ...path, p } }, body: { reason: "ill" } };
      expect(await chief.POST("/v1/tournaments/{t}/entries/{p}/withdrawal", left));
    }
    for (const p of change.back ?? []) {
      expect(await chief.POST("/v1/tournaments/{t}/entries/{p}/return", { params: { path: { ...path, p } }, body: {} }));
    }
  }
}

async function report(round: number, boards: number[]): Promise<void> {
  const results = boards.map((board) => ({
    board,
    result: story.results[(round + board) % story.results.length] as Result,
  }));
  expect(await arbiter.POST("/v1/tournaments/{t}/results", { params: { path }, body: { round, results } }));
}

/** Three fouls lose the game; an appeal against one is upheld, and the loss falls with it. */
async function foul(round: number, player: number): Promise<void> {
  const made = [];
  for (const note of story.fouls.notes) {
    const body = { player, round, infraction: "foul", note };
    const ruled = expect(await arbiter.POST("/v1/tournaments/{t}/rulings", { params: { path }, body }));
    if (!("brought" in ruled)) throw new Error("this was a preview");
    made.push(ruled);
  }
  if (made[2]?.brought.length !== 1) throw new Error("the third foul lost nothing");
  const ruling = made[story.fouls.upheld]?.ruling ?? "";
  const grounds = { ruling, by: player, grounds: "a spectator knocked the piece over" };
  const lodged = expect(await appeals.POST("/v1/tournaments/{t}/appeals", { params: { path }, body: grounds }));
  const decision = { params: { path: { ...path, a: lodged.appeal } }, body: { upheld: true, grounds: "the video shows it" } };
  expect(await appeals.POST("/v1/tournaments/{t}/appeals/{a}/decision", decision));
}

async function play(round: number): Promise<void> {
  await prepare(round);
  const body = round === 1 ? { seed: story.seed } : {};
  const paired = expect(await chief.POST("/v1/tournaments/{t}/rounds", { params: { path, header: await seen() }, body }));
  if (!("boards" in paired)) throw new Error("this was a preview");
  const boards = paired.boards.map((one) => one.board);
  const { fouls } = story;
  if (fouls.round !== round) return report(round, boards);
  await report(round, boards.filter((board) => board !== fouls.board));
  await foul(round, paired.boards.find((one) => one.board === fouls.board)?.white ?? 0);
  return report(round, [fouls.board]);
}

await announce();
for (let round = 1; round <= story.rounds; round += 1) await play(round);
const header = await seen();
expect(await chief.POST("/v1/tournaments/{t}/publications", { params: { path, header }, body: { final: true } }));
const table = expect(await chief.GET("/v1/tournaments/{t}/standings", { params: { path } }));
console.log(JSON.stringify(table.players.map((row) => [row.rank, row.id, row.points])));
