/** A temporary PostgreSQL server. */
export interface Postgres {
  url: string
  /** Name and version for messages. */
  name: string
  /** Folder of its programs. */
  programs: string
  /** Folder of its data. */
  data: string
  /** Stops it, by default as a crash does, and starts it again. */
  restart(options?: { mode?: 'fast' | 'immediate' }): Promise<void>
  stop(): void
}

/**
 * `durable` (default) waits for the disk; `needs` lists programs required beside the server's own.
 */
export function startPostgres(options?: { durable?: boolean; needs?: string[] }): Promise<Postgres | null>
