import { createHmac } from 'node:crypto'
import { inArray, lt, sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { type Database, rows } from '../db/database.ts'
import { appError } from './app-error.ts'
import { rateLimits } from './rate-limit-table.ts'

export interface RateRule {
  /** Names what is counted, e.g. `login:ip`. */
  rule: string
  /** Whom it is counted for, e.g. an address; stored only as a keyed hash. */
  subject: string
  /** Hits that are let through … */
  limit: number
  /** … in this many seconds, counted from the first one. */
  seconds: number
}

interface RateDeps {
  db: Database
  clock: () => Date
  config: Pick<Config, 'jwtSecret'>
}

/** Counts a hit for each rule, in one statement and for all processes, and throws `request.rate_limited` when one of them is over its limit. */
export async function limitRate({ db, clock, config }: RateDeps, rules: RateRule[]): Promise<void> {
  const now = clock()
  const keyed = rules.map((rule) => ({ ...rule, key: rateKey(config, rule) }))
  // In one order, so that two requests never wait for each other's rows.
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  const values = keyed.map(
    ({ key, seconds }) => sql`(${key}, 1, ${new Date(now.getTime() + seconds * 1000).toISOString()}::timestamptz)`,
  )
  const moment = sql`${now.toISOString()}::timestamptz`
  const counted = await rows<{ key: string; hits: number; wait: number }>(
    db,
    sql`
      insert into rate_limits as known (key, hits, resets_at) values ${sql.join(values, sql`, `)}
      on conflict (key) do update set
        hits = case when known.resets_at <= ${moment} then 1 else known.hits + 1 end,
        resets_at = case when known.resets_at <= ${moment} then excluded.resets_at else known.resets_at end
      returning key, hits, extract(epoch from resets_at - ${moment})::float8 as wait`,
  )
  const waits = counted
    .filter(({ key, hits }) => hits > (keyed.find((rule) => rule.key === key)?.limit ?? 0))
    .map(({ wait }) => Number(wait))
  if (waits.length > 0) throw appError('request.rate_limited', undefined, { retryAfter: Math.max(...waits) })
}

/** Takes the hits of rules back, e.g. once a sign-in has succeeded. */
export async function forgiveRate(
  { db, config }: RateDeps,
  rules: Pick<RateRule, 'rule' | 'subject'>[],
): Promise<void> {
  await db.delete(rateLimits).where(
    inArray(
      rateLimits.key,
      rules.map((rule) => rateKey(config, rule)),
    ),
  )
}

/** Forgets what no longer counts. */
export async function sweepRates({ db, clock }: Pick<RateDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, clock()))
}

function rateKey(config: Pick<Config, 'jwtSecret'>, { rule, subject }: Pick<RateRule, 'rule' | 'subject'>): string {
  return `${rule}:${createHmac('sha256', config.jwtSecret).update(`${rule}:${subject}`).digest('base64url')}`
}
