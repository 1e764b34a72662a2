/** A throw-away PostgreSQL server. */
export interface Postgres {
  url: string
  /** The folder of its programs, pgbench among them. */
  programs: string
  stop(): void
}

export function startPostgres(): Promise<Postgres | null>
