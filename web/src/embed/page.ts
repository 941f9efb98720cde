// The demo page of the embedded seat map: a live one, its code, its events, its theming. It uses
// only the element's public interface.
import i18next from "i18next";
import { startTheme } from "~/design/Choices";
import { startFaces } from "~/design/faces";
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

function explained(key: string, ...children: Node[]): HTMLElement {
  return section(t(key), make("p", { class: "embed-quiet" }, t(`${key}_help`)), ...children);
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
  const head = ["name", "meaning"].map((key) => make("th", { scope: "col" }, t(key)));
  const body = rows.map(([name, key]) => {
    const term = make("th", { scope: "row", dir: "ltr" }, make("code", {}, name));
    return make("tr", {}, term, make("td", {}, t(key)));
  });
  const made = make("table", { class: "table" });
  made.append(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  const frame = { class: "table-frame", tabindex: 0, role: "region", "aria-label": t(title) };
  return section(t(title), make("div", frame, made));
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
  return [explained("try", make("div", { class: "embed-live" }, map, log(map))), map];
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
  return explained("theming", row, shown);
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
  startFaces().catch(() => undefined); // without them, the device's stay
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
    explained("code", code(tagCode(values))),
    explained("hold", code(holdCode(values))),
    explained("policy", code(policyCode(values))),
    table(
      "attributes",
      ATTRIBUTES.map((name) => [name, `a_${name.replaceAll("-", "_")}`] as const),
    ),
    table("properties", PROPERTIES),
    table("listen", EVENTS),
  );
  if (map) main.append(theming(map));
}

void start();
