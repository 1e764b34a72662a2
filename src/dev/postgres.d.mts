/** A throw-away PostgreSQL server. */
export interface Postgres {
  url: string
  /** Which PostgreSQL it is, for people. */
  name: string
  /** The folder of its programs. */
  programs: string
  /** The folder of its data. */
  data: string
  /** Stops it, by default as a crash does, and starts it again. */
  restart(options?: { mode?: 'fast' | 'immediate' }): Promise<void>
  stop(): void
}

/**
 * `durable` (so it is by default otherwise) waits for the disk; `needs` names programs beside the
 * server's own.
 */
export function startPostgres(options?: { durable?: boolean; needs?: string[] }): Promise<Postgres | null>
