// What the widgets know of the programme: its dates, and the list of its events.
import type { WidgetVertical } from "../verticals";
import { EVENTS_TAG, EventsElement } from "./eventList";

export const vertical: WidgetVertical = {
  kind: "performance",
  path: "programme/performances",
  elements: [[EVENTS_TAG, EventsElement]],
};
