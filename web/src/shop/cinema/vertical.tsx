// What the cinema brings to the shop: its pages, the choice of a city in the head, and what it knows
// of a show that is being bought.
import { lazy } from "react";
import type { ShopVertical } from "../verticals";
import { CityPicker } from "./CityPicker";
import { HomePage } from "./HomePage";
import { ShowHeading, ShowSummary } from "./ShowHeading";
import { isShowCalledOff } from "./catalog";
import "./words";

const FilmPage = lazy(() => import("./FilmPage"));

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: HomePage },
    { path: "/films/:film", page: ({ params }) => <FilmPage filmId={params["film"] ?? ""} /> },
  ],
  HeaderSlot: CityPicker,
  kinds: ["show"],
  ResourceHeading: ShowHeading,
  ResourceSummary: ShowSummary,
  isCalledOff: isShowCalledOff,
};
