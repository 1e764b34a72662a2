export interface Postgres {
  url: string
  /** Name and version for messages. */
  name: string
  programs: string
  data: string
  /** By default as a crash does. */
  restart(options?: { mode?: 'fast' | 'immediate' }): Promise<void>
  stop(): void
}

export function startPostgres(options?: { durable?: boolean; needs?: string[] }): Promise<Postgres | null>
