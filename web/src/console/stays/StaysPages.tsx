// The stays of the console: properties, and what is let in them. One entry, so that its words are
// loaded once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import { ListingPage } from "./ListingPage";
import { NewListingPage } from "./NewListingPage";
import { NewPropertyPage } from "./NewPropertyPage";
import { PricesPage } from "./PricesPage";
import { NightsPage } from "./NightsPage";
import { PropertiesPage } from "./PropertiesPage";
import { PropertyPage } from "./PropertyPage";
import "../programme/programme.css";
import "../board/board.css";
import "./stays.css";

export default function StaysPages() {
  // Terms and translations are in the words of the programme, kinds and amenities in the shop's.
  const { ready } = useTranslation(["stays", "programme", "shop_stays"]);
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/stays" component={PropertiesPage} />
      <Route path="/console/stays/new" component={NewPropertyPage} />
      <Route path="/console/stays/listings/:listing">
        {({ listing }) => <ListingPage key={listing} id={listing} />}
      </Route>
      <Route path="/console/stays/listings/:listing/prices">
        {({ listing }) => <PricesPage key={listing} id={listing} />}
      </Route>
      <Route path="/console/stays/:property">
        {({ property }) => <PropertyPage key={property} id={property} />}
      </Route>
      <Route path="/console/stays/:property/new-listing">
        {({ property }) => <NewListingPage key={property} property={property} />}
      </Route>
      <Route path="/console/stays/:property/nights">
        {({ property }) => <NightsPage key={property} id={property} />}
      </Route>
      <Redirect to="/console/stays" replace />
    </Switch>
  );
}
