declare module "virtual:reference" {
  import type { Reference } from "~/docs/book/reference";
  const reference: Reference;
  export default reference;
}
