/**
 * The sending feature adds its event and payload in its `schemas.ts`. A new event also needs an
 * `EventSource` in src/server-app/registrations.ts and a handler in src/app/live.ts; the type check
 * finds missing parts. Each event carries an id for Last-Event-ID.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their events.
export interface ServerEvents {}

export type EventName = keyof ServerEvents
