// Creates DOM elements. Data is only ever set as text, never as markup.

type Children = readonly (Node | string | null)[];
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) put(element, name, value);
  element.append(...children.filter((child): child is Node | string => child !== null));
  return element;
}

/** Sets or removes an attribute: true is an empty value, false and null remove it. */
export function put(element: Element, name: string, value: string | number | boolean | null): void {
  if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** A button with a text; one without needs an aria-label. */
export function button(
  className: string,
  label: string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement {
  const made = make("button", { type: "button", class: className }, label);
  made.addEventListener("click", onClick);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of 20 by 20. */
export function sign(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const SIGNS = {
  plus: "M10 4.5v11M4.5 10h11",
  minus: "M4.5 10h11",
  fit: "M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4",
  map: "M3.5 5l4.5-1.5 4 1.5 4.5-1.5v11.5l-4.5 1.5-4-1.5-4.5 1.5zM8 3.5v11.5M12 5v11.5",
  list: "M7 5.5h9.5M7 10h9.5M7 14.5h9.5M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01",
  chevron: "M6 8l4 4 4-4",
} as const;
