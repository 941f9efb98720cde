// The code samples of the page, with this server's own values.

export type Values = { origin: string; resource: string; key: string };

export function tagCode({ origin, resource, key }: Values): string {
  return `<script type="module" src="${origin}/embed/seatmap.js"></script>

<bespeak-seatmap
  resource="${resource}"
  api-key="${key}"
  api-base="${origin}"
  max="6"
></bespeak-seatmap>`;
}

export function holdCode({ origin, resource, key }: Values): string {
  return `const map = document.querySelector("bespeak-seatmap");

async function hold() {
  // From your server, which made it with its own sk_ key: POST /v1/shopper-tokens
  const { token } = await (await fetch("/my-shop/shopper-token", { method: "POST" })).json();
  const lines = map.selection.map((unit) => ({ resource_id: "${resource}", unit }));
  map.holding = true;
  const answer = await fetch("${origin}/v1/holds", {
    method: "POST",
    headers: {
      Authorization: "Bearer ${key}",
      "Bespeak-Shopper": token,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: JSON.stringify({ lines }),
  });
  if (answer.ok) map.mine = map.selection;
  map.holding = false;
}`;
}

export function policyCode({ origin }: Values): string {
  return `Content-Security-Policy: script-src 'self' ${origin}; connect-src 'self' ${origin}`;
}

export function themeCode(accent: string): string {
  return `bespeak-seatmap {
  --bespeak-height: 40rem;
  --bespeak-accent: ${accent};
  --bespeak-radius: 1rem;
}
bespeak-seatmap::part(map) {
  border-width: 2px;
}`;
}

export const ATTRIBUTES = [
  "resource",
  "api-key",
  "api-base",
  "mode",
  "max",
  "lang",
  "theme",
  "view",
] as const;

export const PROPERTIES = [
  ["selection", "p_selection"],
  ["mine", "p_mine"],
  ["holding", "p_holding"],
  ["offline, plan, taken, pools, prices, currency", "p_plan"],
  ["pickBest(quantity, {category, accessible})", "p_pickBest"],
  ["focusUnit(unit)", "p_focusUnit"],
  ["showUnits(units)", "p_showUnits"],
  ["clear()", "p_clear"],
] as const;

export const EVENTS = [
  ["bespeak-select", "e_select"],
  ["bespeak-ready", "e_ready"],
  ["bespeak-change", "e_change"],
  ["bespeak-lost", "e_lost"],
  ["bespeak-error", "e_error"],
] as const;

/** Accent colours with enough contrast in light and dark themes. */
export const ACCENTS = ["#4a2fbd", "#0b6e69", "#b3261e", "#1f6feb"] as const;
