// The worker of the entrance page, with a browser that this test plays.
import { readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";

const SOURCE = readFileSync(new URL("./offlineWorker.js", import.meta.url), "utf-8");
const ORIGIN = "https://tickets.example";
const ENTRY = "/assets/console-12345678.js";

type Listener = (event: Record<string, unknown>) => void;
type Asked = { method: string; mode: string; url: string };

/** All caches of an origin, which stay while workers come and go. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>();

  open = async (name: string) => {
    const kept = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, kept);
    return {
      match: async (path: string) => kept.get(path)?.clone(),
      put: async (path: string, answer: Response) => void kept.set(path, answer),
      addAll: async (paths: readonly string[]) => {
        for (const path of paths) kept.set(path, new Response(`kept ${path}`));
      },
    };
  };
  keys = async () => [...this.all.keys()];
  delete = async (name: string) => this.all.delete(name);
  match = async (path: string) =>
    [...this.all.values()].map((kept) => kept.get(path)?.clone()).find((one) => one !== undefined);
}

let caches: Caches;
let network: (path: string) => Promise<Response>;

beforeEach(() => {
  caches = new Caches();
  network = async () => new Response(`<script src="${ENTRY}"></script>`);
});

/** A worker of a build, and what it answers. */
function worker(version: string) {
  const listeners = new Map<string, Listener>();
  const scope = {
    BUILT: { version, entry: ENTRY, files: [ENTRY, "/assets/words-12345678.js"] },
    addEventListener: (kind: string, listener: Listener) => listeners.set(kind, listener),
    caches,
    clients: { claim: async () => undefined },
    fetch: async (asked: string | Asked) =>
      network(typeof asked === "string" ? asked : new URL(asked.url).pathname),
    location: { origin: ORIGIN },
    skipWaiting: async () => undefined,
  };
  // oxlint-disable-next-line no-new-func -- it is the file as the build gives it out
  new Function(...Object.keys(scope), SOURCE)(...Object.values(scope));
  const lives = async (kind: string) => {
    let done: Promise<unknown> = Promise.resolve();
    listeners.get(kind)?.({ waitUntil: (until: Promise<unknown>) => (done = until) });
    await done;
  };
  const answers = async (path: string, more: Partial<Asked> = {}): Promise<string | null> => {
    let answer: Promise<Response> | null = null;
    const request = { method: "GET", mode: "no-cors", url: new URL(path, ORIGIN).href, ...more };
    const respondWith = (given: Promise<Response>) => (answer = given);
    listeners.get("fetch")?.({ request, respondWith });
    const given = await (answer as Promise<Response> | null);
    return given === null ? null : given.text();
  };
  const opens = (path: string) => answers(path, { mode: "navigate" });
  return { lives, answers, opens };
}

test("the page is the server's while that answers, and the kept one without", async () => {
  const one = worker("v1");
  await one.lives("install");
  await one.lives("activate");
  network = async () => new Response("newer");
  expect(await one.opens("/console/scanner/res_kbq6mf4p")).toBe("newer");
  network = async () => Promise.reject(new TypeError("no network"));
  expect(await one.opens("/console/scanner/res_kbq6mf4p")).toContain(ENTRY);
  network = async () => new Response("away", { status: 502 });
  expect(await one.opens("/console/scanner")).toContain(ENTRY);
  expect(await one.answers(ENTRY)).toBe(`kept ${ENTRY}`);
});

test("a network that hangs is as none", async () => {
  const one = worker("v1");
  await one.lives("install");
  vi.useFakeTimers();
  try {
    network = () => new Promise(() => undefined);
    const opened = one.opens("/console/scanner");
    await vi.advanceTimersByTimeAsync(5000);
    expect(await opened).toContain(ENTRY);
  } finally {
    vi.useRealTimers();
  }
});

test("no answer of the API, no write and no other origin goes through it", async () => {
  const one = worker("v1");
  await one.lives("install");
  expect(await one.answers("/v1/check-ins/entrances")).toBeNull();
  expect(await one.answers("/v1/ticket-keys")).toBeNull();
  expect(await one.answers(ENTRY, { method: "POST" })).toBeNull();
  expect(await one.answers("https://elsewhere.example/assets/a-12345678.js")).toBeNull();
  expect([...(caches.all.get("bespeak-scanner-v1")?.keys() ?? [])].toSorted()).toEqual([
    ENTRY,
    "/assets/words-12345678.js",
    "/console/scanner",
  ]);
});

test("a page of another build is not kept, nor what is no page", async () => {
  for (const answer of [new Response("another build"), new Response("", { status: 503 })]) {
    network = async () => answer.clone();
    // oxlint-disable-next-line no-await-in-loop
    await expect(worker("v1").lives("install")).rejects.toThrow("another build");
  }
  expect(caches.all.get("bespeak-scanner-v1")?.size).toBe(0);
});

test("of the builds before only the last one's files stay", async () => {
  await caches.open("of-others");
  for (const version of ["v1", "v2", "v3"]) {
    const one = worker(version);
    // oxlint-disable-next-line no-await-in-loop
    await one.lives("install");
    // oxlint-disable-next-line no-await-in-loop
    await one.lives("activate");
  }
  expect(await caches.keys()).toEqual(["of-others", "bespeak-scanner-v2", "bespeak-scanner-v3"]);
});
