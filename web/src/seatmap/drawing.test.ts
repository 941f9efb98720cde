// The camera, contrast of colours, translations, and reading of plans.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import ar from "~/i18n/locales/ar/seatmap.json";
import de from "~/i18n/locales/de/seatmap.json";
import en from "~/i18n/locales/en/seatmap.json";
import { between, fitting, clamped, visibleBox, zoomed } from "./camera";
import { contrast, inkOn, parseColour, standingOut, type Rgb } from "./colour";
import { readPlan } from "./plan";
import { makeRoom } from "./room";
import { shortNames } from "./scenery";
import { Words } from "./words";

const size = { width: 800, height: 500 };
const box = { left: -10, top: 0, right: 10, bottom: 30 };

describe("the camera", () => {
  it("shows all of a room", () => {
    const view = visibleBox(fitting(box, size), size);
    expect(view.left).toBeLessThan(box.left);
    expect(view.bottom).toBeGreaterThan(box.bottom);
  });

  it("keeps under the finger what is there while it zooms", () => {
    const camera = { scale: 10, x: 5, y: 7 };
    const at = { x: 300, y: 200 };
    const after = zoomed(camera, 1.7, at, { least: 1, most: 60 });
    expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - camera.x) / camera.scale);
    expect(zoomed(camera, 100, at, { least: 1, most: 60 }).scale).toBe(60);
  });

  it("never loses the room", () => {
    const far = fc.double({ min: -1e5, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(far, far, fc.double({ min: 2, max: 60, noNaN: true }), (x, y, scale) => {
        const view = visibleBox(clamped({ scale, x, y }, box, size), size);
        expect(view.left < box.right && view.right > box.left).toBe(true);
        expect(view.top < box.bottom && view.bottom > box.top).toBe(true);
      }),
    );
  });

  it("goes from one view to another", () => {
    const [from, to] = [fitting(box, size), { scale: 40, x: -100, y: -300 }];
    for (const [share, end] of [
      [0, from],
      [1, to],
    ] as const) {
      const there = between(from, to, share, size);
      expect(there.scale).toBeCloseTo(end.scale);
      expect(there.x).toBeCloseTo(end.x);
      expect(there.y).toBeCloseTo(end.y);
    }
  });
});

describe("colours", () => {
  const part = fc.integer({ min: 0, max: 255 });
  const colour: fc.Arbitrary<Rgb> = fc.tuple(part, part, part);

  it("stand out from any ground", () => {
    fc.assert(
      fc.property(colour, colour, (one, ground) => {
        expect(contrast(standingOut(one, ground, 3), ground)).toBeGreaterThanOrEqual(3);
        expect(contrast(inkOn(ground), ground)).toBeGreaterThanOrEqual(4);
      }),
    );
  });

  it("are read from what a plan says", () => {
    expect(parseColour("#3d6fb0")).toEqual([61, 111, 176]);
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  });
});

describe("words", () => {
  const stems = (words: object) =>
    new Set(Object.keys(words).map((key) => key.replace(/_(zero|one|two|few|many|other)$/, "")));

  it("say the same things in every language", () => {
    expect(stems(de)).toEqual(stems(en));
    expect(stems(ar)).toEqual(stems(en));
  });

  it.each([
    ["en", en],
    ["de", de],
    ["ar", ar],
  ] as const)("have every plural form of %s", (tag, words) => {
    const counted = new Set(
      Object.keys(words).flatMap((key) => (key.endsWith("_other") ? [key.slice(0, -6)] : [])),
    );
    const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const stem of counted)
      for (const form of forms) expect(Object.keys(words)).toContain(`${stem}_${form}`);
  });

  it("count, and name money", () => {
    expect(new Words("en").text("section_free", { count: 1200 })).toBe("1,200 free");
    expect(new Words("de-DE").text("area_left", { count: 1 })).toBe("noch 1");
    expect(new Words("ar").direction).toBe("rtl");
    expect(new Words("xx-nonsense").text("view_map")).toBe("Map");
    expect(new Words("en").money(1650, "EUR")).toBe("€16.50");
    expect(new Words("en").money(500, "JPY")).toBe("¥500");
    expect(new Words("en").money(0, "EUR")).toBe("Free of charge");
    expect(new Words("en").money(null, "EUR")).toBe("");
    expect(new Words("en").money(12, "not money")).not.toBe("");
  });

  it("leave out of section names what all of them share", () => {
    expect(shortNames(["Block 101", "Block 102"])).toEqual(["101", "102"]);
    expect(shortNames(["Stalls", "Left box"])).toEqual(["Stalls", "Left box"]);
    expect(shortNames(["Hall"])).toEqual(["Hall"]);
  });
});

describe("documents", () => {
  it("of any kind are read without harm", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readPlan(value) === null || readPlan(value) !== undefined).toBe(true);
        const plan = readPlan({
          type: "seats",
          sections: [value],
          pools: value,
          categories: [value],
          stage: value,
          shapes: [value],
        });
        expect(plan).not.toBeNull();
        if (plan) expect(makeRoom(plan).box.left).toBeLessThan(Infinity);
      }),
    );
  });

  it("that are none are told apart", () => {
    for (const one of [null, 3, "seats", [], {}, { type: "nights" }])
      expect(readPlan(one)).toBeNull();
  });
});
