// The words of the editor: every command has a name, and the guide says the same.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRecord } from "~/api/client";
import en from "~/i18n/locales/en/editor.json";
import { COMMANDS, commandFor } from "./commands";

function flat(of: unknown, path = ""): Map<string, string> {
  const words = new Map<string, string>();
  for (const [name, value] of Object.entries(isRecord(of) ? of : {})) {
    const key = `${path}${name}`;
    if (typeof value === "string") words.set(key, value);
    else for (const [inner, word] of flat(value, `${key}.`)) words.set(inner, word);
  }
  return words;
}

describe("the words", () => {
  it("name every command and what undoing it undoes", () => {
    const words = flat(en);
    for (const command of COMMANDS)
      expect(words.get(`command.${command.id}`), command.id).toBeTruthy();
  });

  it("are those that the guide says", () => {
    const guide = readFileSync("../docs/guides/editor.md", "utf8");
    const words = flat(en);
    for (const command of COMMANDS) {
      if (command.keys === undefined) continue;
      const keys = command.keys.replace("Mod", "Ctrl");
      expect(guide, command.id).toContain(
        `| ${words.get(`command.${command.id}`)} | \`${keys}\` |`,
      );
    }
  });
});

describe("the keys", () => {
  const pressed = (
    key: string,
    held: Partial<{ ctrlKey: boolean; shiftKey: boolean; metaKey: boolean; altKey: boolean }> = {},
  ) =>
    commandFor({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held })
      ?.id ?? null;

  it("lead to their commands, whatever the case and the system", () => {
    expect(pressed("z", { ctrlKey: true })).toBe("undo");
    expect(pressed("Z", { metaKey: true, shiftKey: true })).toBe("redo");
    expect(pressed("y", { ctrlKey: true })).toBe("redo");
    expect(pressed("Backspace")).toBe("remove");
    expect(pressed("?", { shiftKey: true })).toBe("shortcuts");
    expect(pressed("s")).toBe("tool.section");
    expect(pressed("s", { ctrlKey: true })).toBe("save");
    expect(pressed("s", { altKey: true })).toBeNull();
    expect(pressed("q")).toBeNull();
  });

  it("are each of one command only", () => {
    const keys = COMMANDS.flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
