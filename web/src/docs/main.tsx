// The entry point of the reference of the API.
import { startPage } from "~/design/start";
import { Docs } from "./Docs";

void startPage(["docs"], <Docs />);
