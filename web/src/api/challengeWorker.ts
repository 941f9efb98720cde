// Solves a challenge beside the page, which stays responsive.
import { solve, type Work } from "./proofOfWork";

addEventListener("message", ({ data }: MessageEvent<Work>) => {
  postMessage(solve(data));
});
