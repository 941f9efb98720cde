// @vitest-environment happy-dom
// The kinds of business that are ready to be published at once: all that is there is looked at.
import { afterEach, expect, test, vi } from "vitest";
import { WAYS } from "./ways";

const PAGES = [
  ["stays", "/v1/listings", "/console/stays/listings/one_1"],
  ["appointments", "/v1/appointments/teams", "/console/appointments/one_1"],
] as const;
const DRAFTS = Array.from({ length: 60 }, (_, at) => ({ id: `one_${at + 1}`, published: false }));

afterEach(() => vi.unstubAllGlobals());

test.each(PAGES)(
  "of many drafts of %s the one that is published counts",
  async (name, path, href) => {
    const all = [...DRAFTS, { id: "one_61", published: true }];
    vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
      const { pathname, searchParams } = new URL(new Request(...request).url);
      const items = pathname === path ? all.slice(0, Number(searchParams.get("limit"))) : [];
      return Response.json({ items, next: null });
    });
    const way = WAYS.find((one) => one.name === name);
    expect(await way?.read()).toEqual({ steps: [], publish: href, isPublished: true });
  },
);
