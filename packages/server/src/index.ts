// @bespeak/server: Bespeak from a program in Node.
export { Client, type ClientOptions, type FollowOptions, type HoldOutcome } from "./client.ts";
export { verify, WebhookInvalid, type WebhookEvent, type WebhookHeaders } from "./webhooks.ts";
export * from "../../core/public.ts";
