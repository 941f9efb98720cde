// The pages of appointments that are brought when they are asked for, by their path, and the file of words that
// comes with them.
import type { First } from "../askedAhead";

export const WORDS = "shop_appointments";

export const PAGES = {
  "/appointments": () => import("./TeamsPage"),
  "/appointments/:team": () => import("./TeamPage"),
  "/appointments/:team/change/:booking": () => import("./ChangePage"),
};

/** As catalog.ts asks. */
export const FIRST = {
  "/appointments/:team": (name: string): First[] => [
    ["/v1/appointments/teams/{team_id}", { path: { team_id: name } }],
  ],
};
