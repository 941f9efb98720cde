// The demo page of the embedded seat map: a live one, its code, its events, its theming. It uses
// only the element's public interface.
import i18next from "i18next";
import { startTheme } from "~/design/Choices";
import "~/design/index.css";
import { chooseLocale, isLocale, LOCALES, startI18n, type LocaleName } from "~/i18n";
import { make, put } from "~/seatmap/dom";
import "~/seatmap/element";
import "~/seatmap/SeatMap.css";
import "./page.css";
import {
  ACCENTS,
  ATTRIBUTES,
  EVENTS,
  holdCode,
  policyCode,
  PROPERTIES,
  tagCode,
  themeCode,
  type Values,
} from "./samples";
import { findShow } from "./show";

const LOGGED_MAX = 6;
const COPIED_MS = 1800;
const t = (key: string) => i18next.t(key, { ns: "embed" });

function section(title: string, ...children: (Node | null)[]): HTMLElement {
  return make("section", { class: "embed-part" }, make("h2", {}, title), ...children);
}

function code(text: string): HTMLElement {
  const copy = make(
    "button",
    { type: "button", class: "button", "data-kind": "quiet", "data-size": "small" },
    t("copy"),
  );
  const copyIt = async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = t("copied");
    setTimeout(() => {
      copy.textContent = t("copy");
    }, COPIED_MS);
  };
  copy.addEventListener("click", () => void copyIt());
  const block = make("pre", { tabindex: 0, dir: "ltr" }, make("code", {}, text));
  return make("div", { class: "embed-code" }, block, copy);
}

function table(title: string, rows: readonly (readonly [string, string])[]): HTMLElement {
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, t("name")),
    make("th", { scope: "col" }, t("meaning")),
  );
  const body = rows.map(([name, meaning]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", dir: "ltr" }, make("code", {}, name)),
      make("td", {}, meaning),
    ),
  );
  const made = make(
    "table",
    { class: "table" },
    make("thead", {}, head),
    make("tbody", {}, ...body),
  );
  return make(
    "div",
    { class: "table-frame", tabindex: 0, role: "region", "aria-label": title },
    made,
  );
}

/** The element's events, the latest on top. */
function log(map: HTMLElement): HTMLElement {
  const list = make("ol", { class: "embed-log", role: "list", dir: "ltr" });
  const empty = make("p", { class: "embed-quiet" }, t("events_empty"));
  for (const [name] of EVENTS) {
    map.addEventListener(name, (event) => {
      if (!(event instanceof CustomEvent)) return;
      empty.remove();
      const detail = JSON.stringify(event.detail, null, 1).replaceAll(/\s*\n\s*/g, " ");
      list.prepend(make("li", {}, make("b", {}, name), make("code", {}, detail)));
      while (list.childElementCount > LOGGED_MAX) list.lastElementChild?.remove();
    });
  }
  const frame = make("div", {
    class: "embed-told",
    tabindex: 0,
    role: "region",
    "aria-label": t("events"),
  });
  frame.append(make("h3", {}, t("events")), empty, list);
  return frame;
}

function live({ resource, key }: Values): [HTMLElement, HTMLElement] {
  const map = document.createElement("bespeak-seatmap");
  put(map, "resource", resource);
  put(map, "api-key", key);
  put(map, "max", 6);
  const part = section(t("try"), make("p", { class: "embed-quiet" }, t("try_help")));
  part.append(make("div", { class: "embed-live" }, map, log(map)));
  return [part, map];
}

function theming(map: HTMLElement): HTMLElement {
  const shown = make("div", {});
  const choose = (accent: string) => {
    map.style.setProperty("--bespeak-accent", accent);
    map.style.setProperty("--bespeak-accent-ink", "#ffffff");
    shown.replaceChildren(code(themeCode(accent)));
  };
  const swatches = ACCENTS.map((accent) => {
    const one = make("button", {
      type: "button",
      class: "embed-swatch",
      "aria-label": accent,
      title: accent,
    });
    one.style.setProperty("--swatch", accent);
    one.addEventListener("click", () => choose(accent));
    return one;
  });
  shown.replaceChildren(code(themeCode(ACCENTS[0])));
  const row = make("div", { class: "embed-swatches" }, ...swatches);
  return section(t("theming"), make("p", { class: "embed-quiet" }, t("theming_help")), row, shown);
}

function header(): HTMLElement {
  const select = make("select", { class: "embed-select", "aria-label": t("language") });
  for (const [name, { name: label }] of Object.entries(LOCALES)) {
    select.append(
      make("option", { value: name, lang: name, selected: name === i18next.language }, label),
    );
  }
  select.addEventListener("change", () => {
    if (isLocale(select.value)) void speak(select.value);
  });
  const home = make("a", { href: "/", class: "embed-home" }, "Bespeak");
  return make("header", { class: "embed-top" }, home, select);
}

/** Everything on the page is text, so it reloads in the other language. */
async function speak(name: LocaleName): Promise<void> {
  await chooseLocale(name);
  globalThis.location.reload();
}

async function start(): Promise<void> {
  startTheme();
  await startI18n(["embed"]);
  document.title = t("title");
  const root = document.querySelector("#root");
  if (root === null) return;
  const intro = make(
    "div",
    { class: "embed-intro" },
    make("h1", {}, t("title")),
    make("p", {}, t("lead")),
  );
  const main = make("main", { class: "embed", id: "main" }, intro);
  root.replaceChildren(header(), main);
  const found = await findShow();
  const values: Values =
    "resource" in found
      ? found
      : { origin: globalThis.location.origin, resource: "res_…", key: "pk_…" };
  let map: HTMLElement | null = null;
  if ("resource" in found) {
    const [part, element] = live(found);
    map = element;
    main.append(part);
  } else {
    main.append(
      section(t("try"), make("p", { class: "embed-empty", role: "status" }, t(found.missing))),
    );
  }
  main.append(
    section(t("code"), make("p", { class: "embed-quiet" }, t("code_help")), code(tagCode(values))),
    section(t("hold"), make("p", { class: "embed-quiet" }, t("hold_help")), code(holdCode(values))),
    section(
      t("policy"),
      make("p", { class: "embed-quiet" }, t("policy_help")),
      code(policyCode(values)),
    ),
    section(
      t("attributes"),
      table(
        t("attributes"),
        ATTRIBUTES.map((name) => [name, t(`a_${name.replaceAll("-", "_")}`)] as const),
      ),
    ),
    section(
      t("properties"),
      table(
        t("properties"),
        PROPERTIES.map(([name, key]) => [name, t(key)] as const),
      ),
    ),
    section(
      t("listen"),
      table(
        t("listen"),
        EVENTS.map(([name, key]) => [name, t(key)] as const),
      ),
    ),
  );
  if (map) main.append(theming(map));
}

void start();
