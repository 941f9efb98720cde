// Query strings of CSV links and of tables.
import { describe, expect, it } from "vitest";
import { csvHref, readTable, withQuery, writeTable } from "./query";

describe("a query", () => {
  it("leaves out what says nothing", () => {
    expect(withQuery("/v1/x", { q: "", kind: "", from: undefined })).toBe("/v1/x");
    expect(withQuery("/v1/x", { limit: 0, check: false })).toBe("/v1/x?limit=0&check=false");
  });

  it("writes what would mean something else in an address", () => {
    const address = withQuery("/v1/x", { q: "a&b=c+d é", from: "2026-11-21T00:00:00+05:30" });
    const query = new URL(address, "http://host").searchParams;
    expect(query.get("q")).toBe("a&b=c+d é");
    expect(query.get("from")).toBe("2026-11-21T00:00:00+05:30");
  });
});

describe("a link to a CSV file", () => {
  it("is of all that the table shows, not of its page", () => {
    const href = csvHref("/v1/bookings", { q: "ann", after: "abc", limit: 50, state: "confirmed" });
    expect(href).toBe("/v1/bookings?q=ann&state=confirmed&format=csv");
  });
});

describe("a table's state", () => {
  const defaults = { q: "", sort: "name", day: "" };
  const allowed = { sort: ["name", "sold"] };

  it("comes back from the address as it was written", () => {
    const state = { q: "Ünder & über", sort: "sold", day: "2026-11-21" };
    expect(readTable(writeTable(state, defaults), defaults, allowed)).toEqual(state);
  });

  it("is the default where the address says nothing, or nonsense", () => {
    expect(readTable("", defaults, allowed)).toEqual(defaults);
    expect(readTable("sort=drop&unknown=1", defaults, allowed)).toEqual(defaults);
    expect(readTable(`q=${"x".repeat(900)}`, defaults, allowed).q).toHaveLength(200);
  });

  it("leaves defaults out of the address", () => {
    expect(writeTable(defaults, defaults)).toBe("");
    expect(writeTable({ ...defaults, sort: "sold" }, defaults)).toBe("sort=sold");
  });
});
