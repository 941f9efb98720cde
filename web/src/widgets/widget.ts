// What the widgets have in common: attributes, language, light or dark, and one load at a time. A
// widget shows what the page put into it until it has something better, and again if it fails.
import { make } from "~/seatmap/dom";
import { type Failure, type Place, Refused } from "./api";
import STYLE from "./widgets.css?inline";
import { Words } from "./words";

const COMMON = ["api-key", "api-base", "lang", "theme"] as const;
/** What is shown is read again when the visitor comes back after so long. */
const STALE_MS = 60_000;

export abstract class Widget extends HTMLElement {
  static readonly observedAttributes: readonly string[] = COMMON;

  protected readonly root: ShadowRoot;
  readonly #frame = make("div", { class: "widget" });
  #loading: AbortController | null = null;
  #watching: AbortController | null = null;
  #loadedAt = 0;
  #isAsked = false;

  constructor() {
    super();
    // Constructable, so that it works under a strict content security policy.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.root = this.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [sheet];
    this.#frame.append(make("slot"));
    this.root.append(this.#frame);
  }

  connectedCallback(): void {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    document.addEventListener("visibilitychange", () => this.#refresh(), { signal });
    const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.#look(), { signal });
    const page = new MutationObserver((changes) => {
      if (changes.some(({ attributeName }) => attributeName === "lang")) this.loadSoon();
      else this.#look();
    });
    page.observe(document.documentElement, { attributeFilter: ["lang", "data-theme", "class"] });
    signal.addEventListener("abort", () => page.disconnect());
    this.loadSoon();
  }

  disconnectedCallback(): void {
    this.#watching?.abort();
    this.#loading?.abort();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after && this.isConnected) this.loadSoon();
  }

  /** Reads again what is shown; attributes that are set together cause one load. */
  protected loadSoon(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      if (this.isConnected) void this.#load();
    });
  }

  /** What the widget shows, from the API. Throws Refused. */
  protected abstract content(
    place: Place,
    words: Words,
    signal: AbortSignal,
  ): Promise<readonly Node[]>;

  /** Where the server is: the attribute, or else where the page is from. */
  protected get base(): string {
    return (this.getAttribute("api-base") ?? globalThis.location.origin).replace(/\/+$/, "");
  }

  protected emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  async #load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    const page = this.closest("[lang]") ?? document.documentElement;
    const words = new Words(this.getAttribute("lang") ?? page.getAttribute("lang") ?? "en");
    this.#look();
    this.#frame.dir = words.direction;
    this.#frame.lang = words.locale;
    try {
      const place = { base: this.base, key: this.getAttribute("api-key") ?? "" };
      const nodes = await this.content(place, words, signal);
      if (signal.aborted) return;
      this.#frame.replaceChildren(...nodes);
      this.#loadedAt = Date.now();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      this.#fail(error.failure);
    }
  }

  /** What was shown stays; before anything was, it is what the page put in. */
  #fail(failure: Failure): void {
    this.emit("bespeak-error", failure);
  }

  #refresh(): void {
    if (document.visibilityState === "visible" && Date.now() - this.#loadedAt > STALE_MS) {
      this.loadSoon();
    }
  }

  #look(): void {
    const theme = this.getAttribute("theme") ?? document.documentElement.dataset["theme"] ?? "auto";
    const isDark =
      theme === "dark" ||
      (theme !== "light" && globalThis.matchMedia("(prefers-color-scheme: dark)").matches);
    this.#frame.dataset["look"] = isDark ? "dark" : "light";
  }
}
