// What the widgets know of the cinema: its shows.
import type { WidgetVertical } from "../verticals";

export const vertical: WidgetVertical = { kind: "show", path: "cinema/shows", elements: [] };
