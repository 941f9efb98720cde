// The element's style sheet: constructable, so that it works under a strict content security
// policy. Colours and sizes can be set from outside with --bespeak-… properties.
export const STYLE = `
:host { display: block; block-size: var(--bespeak-height, 38rem); min-block-size: 20rem;
  container-type: inline-size; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame {
  --_accent: var(--bespeak-accent, #4a2fbd); --_accent-ink: var(--bespeak-accent-ink, #fff);
  --_paper: var(--bespeak-paper, #fff); --_surface: var(--bespeak-surface, #fff);
  --_ink: var(--bespeak-ink, #1c1a2b); --_muted: var(--bespeak-muted, #55516a);
  --_line: var(--bespeak-line, #ddd8e4); --_soft: var(--bespeak-soft, #f4f2f8);
  --_radius: var(--bespeak-radius, 0.875rem);
  --_shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 4px 16px rgb(0 0 0 / 10%);
  font: 400 0.9375rem/1.45 var(--bespeak-font, system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif);
  color: var(--_ink); color-scheme: light; block-size: 100%; display: flex; flex-direction: column;
  gap: 0.75rem; text-align: start; position: relative; }
.frame[data-look="dark"] { color-scheme: dark;
  --_accent: var(--bespeak-accent, #b6a4ff); --_accent-ink: var(--bespeak-accent-ink, #17122e);
  --_paper: var(--bespeak-paper, #1c1a29); --_surface: var(--bespeak-surface, #262336);
  --_ink: var(--bespeak-ink, #f3f0fa); --_muted: var(--bespeak-muted, #b7b1c9);
  --_line: var(--bespeak-line, #3b3750); --_soft: var(--bespeak-soft, #262336);
  --_shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 4px 18px rgb(0 0 0 / 45%); }
button { font: inherit; color: inherit; cursor: pointer; }
button:focus-visible, .pad:focus-visible, input:focus-visible {
  outline: 3px solid var(--_accent); outline-offset: 2px; }
button[aria-disabled="true"] { cursor: not-allowed; }
.quiet { color: var(--_muted); font-size: 0.875em; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
svg { inline-size: 1.25rem; block-size: 1.25rem; fill: none; stroke: currentColor; stroke-width: 1.7;
  stroke-linecap: round; stroke-linejoin: round; flex: none; }

.bar { display: flex; align-items: center; gap: 0.75rem; min-block-size: 2.75rem; }
.legend { display: flex; gap: 0.5rem; flex: 1; min-inline-size: 0; overflow-x: auto; scrollbar-width: none;
  padding: 3px; margin: -3px; }
.chip { display: inline-flex; align-items: center; gap: 0.5rem; min-block-size: 2.75rem; flex: none;
  padding-inline: 0.875rem; border: 1px solid var(--_line); border-radius: 99rem;
  background: var(--_surface); transition: border-color 140ms, background-color 140ms; }
.chip:hover { border-color: var(--_muted); }
.chip[aria-pressed="true"] { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); }
.chip .name { display: inline-block; white-space: nowrap; }
.chip .name::first-letter, .card .category::first-letter { text-transform: uppercase; }
.chip b { font-weight: 600; white-space: nowrap; }
.swatch { inline-size: 0.95em; block-size: 0.95em; border-radius: 0.28em 0.28em 0.5em 0.5em; flex: none;
  background: var(--swatch); border: 1px solid var(--swatch-edge, transparent); }
.views { display: inline-flex; flex: none; padding: 0.1875rem; border-radius: 99rem;
  background: var(--_soft); border: 1px solid var(--_line); }
.views button { display: inline-flex; align-items: center; gap: 0.4rem; min-block-size: 2.375rem;
  min-inline-size: 2.75rem; justify-content: center; padding-inline: 0.8rem; border: 0;
  border-radius: 99rem; background: none; color: var(--_muted); font-weight: 550; }
.views button[aria-pressed="true"] { background: var(--_surface); color: var(--_ink);
  box-shadow: 0 1px 3px rgb(0 0 0 / 14%); }
.frame[data-look="dark"] .views button[aria-pressed="true"] { background: var(--_line); }

.body { position: relative; flex: 1; min-block-size: 0; display: flex; }
.map { position: relative; flex: 1; min-inline-size: 0; overflow: hidden; border-radius: var(--_radius);
  background: var(--_paper); border: 1px solid var(--_line); isolation: isolate; contain: strict; }
.map > canvas, .pad { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
.map > canvas { pointer-events: none; }
.pad { touch-action: none; cursor: grab; outline: none; border-radius: inherit; user-select: none;
  -webkit-user-select: none; -webkit-tap-highlight-color: transparent; }
.map[data-fit] .pad { cursor: default; touch-action: pan-y; }
.map[data-over] .pad { cursor: pointer; }
.map[data-moving] .pad { cursor: grabbing; }
.pad:focus-visible { outline: 3px solid var(--_accent); outline-offset: -3px; }
.zoom { position: absolute; inset-block-end: 0.75rem; inset-inline-end: 0.75rem; display: flex;
  flex-direction: column; gap: 0.375rem; }
.round { inline-size: 2.75rem; block-size: 2.75rem; display: grid; place-items: center; padding: 0;
  border-radius: 99rem; border: 1px solid var(--_line); background: var(--_surface);
  box-shadow: var(--_shadow); transition: background-color 140ms; }
.round:hover { background: var(--_soft); }
.map > .mini { inset: auto; inset-block-end: 0.75rem; inset-inline-start: 0.75rem; background: var(--_surface);
  border: 1px solid var(--_line); border-radius: 0.5rem; box-shadow: var(--_shadow); cursor: pointer;
  pointer-events: auto; touch-action: none; box-sizing: content-box; }
.card { position: absolute; inset-block-start: 0; left: 0; max-inline-size: 17rem; pointer-events: none;
  display: grid; gap: 0.125rem; padding: 0.6rem 0.85rem; border-radius: 0.75rem;
  background: var(--_surface); border: 1px solid var(--_line); box-shadow: var(--_shadow); }
.card strong { font-weight: 650; }
.card .line { display: flex; align-items: center; gap: 0.4rem; }
.card .category { display: inline-block; }
.card .line b { font-weight: 650; margin-inline-start: auto; padding-inline-start: 0.75rem; }

.foot { display: grid; gap: 0.75rem; flex: none; }
.foot:empty { display: none; }
.key { display: flex; gap: 0.25rem 1.1rem; flex-wrap: wrap; margin: 0; padding: 0; list-style: none;
  color: var(--_muted); font-size: 0.8125rem; }
.key li { display: inline-flex; align-items: center; gap: 0.375rem; white-space: nowrap; }
.sample { inline-size: 1.5rem; block-size: 1.5rem; }

.areas { display: grid; gap: 0.5rem; max-block-size: 11rem; overflow: auto;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); padding: 3px; margin: -3px; }
.area { display: flex; align-items: center; gap: 0.75rem; padding: 0.5rem 0.5rem 0.5rem 1rem;
  padding-inline: 1rem 0.5rem; border: 1px solid var(--_line); border-radius: var(--_radius);
  background: var(--_surface); }
.about { display: grid; flex: 1; min-inline-size: 0; }
.about strong { font-weight: 600; overflow-wrap: anywhere; }
.stepper { display: flex; align-items: center; gap: 0.25rem; }
.stepper .round { box-shadow: none; }
.stepper .round[aria-disabled="true"] { color: var(--_muted); background: var(--_soft); }
.stepper output { min-inline-size: 2rem; text-align: center; font-weight: 650; font-variant-numeric: tabular-nums; }

.list { flex: 1; min-inline-size: 0; overflow: auto; border: 1px solid var(--_line); border-radius: var(--_radius);
  background: var(--_paper); padding: 0.5rem; }
.only { display: inline-flex; align-items: center; gap: 0.6rem; min-block-size: 2.75rem; padding-inline: 0.6rem; }
.only input { inline-size: 1.2rem; block-size: 1.2rem; accent-color: var(--_accent); }
.opener { display: flex; align-items: center; gap: 0.6rem; inline-size: 100%; min-block-size: 2.75rem;
  padding: 0.35rem 0.6rem; border: 0; border-radius: 0.6rem; background: none; text-align: start; }
.opener:hover { background: var(--_soft); }
.opener .name { font-weight: 600; }
.opener .quiet { margin-inline-start: auto; }
.opener svg { transition: transform 140ms; transform: rotate(-90deg); color: var(--_muted); }
:dir(rtl) .opener svg { transform: rotate(90deg); }
.opener[aria-expanded="true"] svg, :dir(rtl) .opener[aria-expanded="true"] svg { transform: none; }
.inside { padding-inline-start: 1.4rem; padding-block-end: 0.4rem; }
.row { display: grid; grid-template-columns: minmax(4.5rem, auto) 1fr; gap: 0.5rem; align-items: start;
  padding-block: 0.3rem; }
.row > .name { padding-block-start: 0.62rem; color: var(--_muted); font-size: 0.875em; white-space: nowrap; }
.row > p { margin: 0.55rem 0; }
.seats { display: flex; flex-wrap: wrap; gap: 0.375rem; padding: 2px; }
.seat { min-inline-size: 2.75rem; min-block-size: 2.75rem; padding-inline: 0.4rem; border-radius: 0.5rem 0.5rem 0.9rem 0.9rem;
  border: 1.5px solid var(--_muted); background: var(--_surface); font-variant-numeric: tabular-nums; }
.seat:hover { border-color: var(--_accent); }
.seat[data-kind="selected"] { background: var(--_accent); border-color: var(--_accent); color: var(--_accent-ink); font-weight: 650; }
.seat[data-kind="mine"] { border: 2px solid var(--_accent); font-weight: 650; }
.seat[data-kind="held"], .seat[data-kind="booked"], .seat[data-kind="blocked"] { border-color: var(--_line);
  border-style: dashed; color: var(--_muted); background: var(--_soft); text-decoration: line-through; }
.seat[data-kind="held"] { text-decoration: none; }
.seat[data-access="accessible"] { border-radius: 99rem; }

.note { position: absolute; inset-block-start: 0.75rem; inset-inline: 0.75rem; display: grid; gap: 0.5rem;
  justify-items: center; pointer-events: none; z-index: 2; }
.note p { margin: 0; padding: 0.55rem 1rem; border-radius: 0.9rem; background: var(--_ink); color: var(--_paper);
  box-shadow: var(--_shadow); font-weight: 550; max-inline-size: 34rem; animation: come 200ms ease-out; }
.message { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 1rem;
  text-align: center; border-radius: var(--_radius); border: 1px solid var(--_line); background: var(--_paper);
  padding: 2rem; }
.message p { margin: 0; color: var(--_muted); max-inline-size: 28rem; }
.message .again { min-block-size: 2.75rem; padding-inline: 1.4rem; border-radius: 99rem; border: 0;
  background: var(--_accent); color: var(--_accent-ink); font-weight: 600; }
.skeleton { display: grid; gap: 0.6rem; justify-items: center; }
.skeleton i { block-size: 1rem; border-radius: 0.5rem; background: radial-gradient(circle at 50% 50%, var(--_line) 0.42rem, transparent 0.45rem) 0 0 / 1.15rem 1rem; animation: breathe 1.6s ease-in-out infinite; }
.skeleton i:nth-child(1) { inline-size: 9.2rem; }
.skeleton i:nth-child(2) { inline-size: 11.5rem; }
.skeleton i:nth-child(3) { inline-size: 13.8rem; }
.skeleton i:nth-child(4) { inline-size: 13.8rem; }
@keyframes breathe { 50% { opacity: 0.45; } }
@keyframes come { from { opacity: 0; transform: translateY(-0.4rem); } }
@container (max-width: 54rem) {
  .chip { padding-inline: 0.7rem; gap: 0.4rem; font-size: 0.875rem; }
  .views button { padding-inline: 0.65rem; font-size: 0.875rem; }
}
@container (max-width: 36rem) {
  .bar { flex-wrap: wrap; gap: 0.5rem; }
  .legend { flex-basis: 100%; order: 2; }
  .views { margin-inline-start: auto; display: flex; flex: 1; }
  .views button { flex: 1; }
  .key { gap: 0 0.875rem; font-size: 0.75rem; }
  .inside { padding-inline-start: 0.25rem; }
  .row { grid-template-columns: 1fr; gap: 0; }
  .row > .name { padding-block-start: 0.25rem; }
}
@media (prefers-reduced-motion: reduce) {
  .frame *, .frame *::before { animation: none !important; transition: none !important; }
}
@media (forced-colors: active) {
  .map { forced-color-adjust: none; }
  .seat[data-kind="selected"] { outline: 2px solid Highlight; }
}
`;
