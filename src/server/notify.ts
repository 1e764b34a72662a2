/** What travels between processes when something changed; small, for PostgreSQL's NOTIFY carries 8000 bytes. */
export type Notification =
  | { kind: 'generation'; userId: string; generationId: string; change: number }
  | { kind: 'credits'; userId: string }
  | { kind: 'cancel'; generationId: string }
  | { kind: 'session_revoked'; userId: string }

/** NOTIFY/LISTEN of PostgreSQL, the same in the embedded database. */
export interface Notifier {
  subscribe(listener: (notification: Notification) => void): () => void
  stop(): Promise<void>
}
