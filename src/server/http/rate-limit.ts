import { createHmac } from 'node:crypto'
import { and, gt, inArray, lt, sql } from 'drizzle-orm'
import { addTime } from '#shared/time.ts'
import type { Config } from '../config.ts'
import { type Database, rows } from '../db/database.ts'
import { AppError, appError } from './app-error.ts'
import { rateLimits } from './rate-limit-table.ts'

export interface RateRule {
  rule: string
  /** Stored only as a keyed hash. */
  subject: string
  limit: number
  /** Counted from the first hit. */
  seconds: number
  /** 1 by default. */
  cost?: number
}

export interface RateDeps {
  db: Database
  clock: () => Date
  config: Pick<Config, 'jwtSecret'>
}

/** Hits left, and seconds until the count starts again. */
export interface RateLeft {
  remaining: number
  seconds: number
}

/**
 * Counts a hit for each rule across processes; throws `request.rate_limited`. A refused hit does
 * not count for later rules: put rules that affect only the sender first. Beyond a limit nothing is
 * written, so an attacker only causes reads. Returns the state of each rule.
 */
export async function limitRate({ db, clock, config }: RateDeps, rules: RateRule[]): Promise<RateLeft[]> {
  const now = clock()
  const moment = sql`${now.toISOString()}::timestamptz`
  const limits = rules.map((rule) => sql`(${rateKey(config, rule)}, ${rule.limit}::int)`)
  const reached = sql`reached as (
    select extract(epoch from max(resets_at) - ${moment})::float8 as wait
    from rate_limits join (values ${sql.join(limits, sql`, `)}) as rule (name, most) on key = name
    where hits >= most and resets_at > ${moment})`
  const step = (at: number) => sql.raw(`step_${at}`)
  const steps = rules.map((rule, at) => {
    const resetsAt = addTime(now, { seconds: rule.seconds }).toISOString()
    const before =
      at === 0 ? sql`(select case when wait is null then 0 else 1 end as excess from reached) as nothing` : step(at - 1)
    return sql`${step(at)} as (
      insert into rate_limits as known (key, hits, resets_at)
      select ${rateKey(config, rule)}, ${rule.cost ?? 1}::int, ${resetsAt}::timestamptz from ${before} where excess <= 0
      on conflict (key) do update set
        hits = case when known.resets_at <= ${moment} then excluded.hits else known.hits + excluded.hits end,
        resets_at = case when known.resets_at <= ${moment} then excluded.resets_at else known.resets_at end
      returning hits - ${rule.limit}::int as excess, extract(epoch from resets_at - ${moment})::float8 as wait)`
  })
  const counted = rules.map((_, at) => sql`select excess, wait from ${step(at)}`)
  const found = await rows<{ excess: number; wait: number }>(
    db,
    sql`with ${sql.join([reached, ...steps], sql`, `)}
      select 1 as excess, wait from reached where wait is not null union all ${sql.join(counted, sql` union all `)}`,
  )
  const waits = found.filter(({ excess }) => excess > 0).map(({ wait }) => Number(wait))
  if (waits.length > 0) throw appError('request.rate_limited', { retryAfter: Math.max(...waits) })
  return found.map(({ excess, wait }) => ({ remaining: -Number(excess), seconds: Number(wait) }))
}

/** Counts before working; a refusal for lack of capacity does not count. */
export async function withinRate<Result>(
  deps: RateDeps,
  rules: RateRule[],
  work: () => Promise<Result>,
): Promise<Result> {
  await limitRate(deps, rules)
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'server.unavailable') await undoRateHits(deps, rules)
    throw error
  }
}

/** For work that is skipped beyond a limit instead of refused. */
export async function isWithinRate(deps: RateDeps, rules: RateRule[]): Promise<boolean> {
  try {
    await limitRate(deps, rules)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.rate_limited') return false
    throw error
  }
}

/** For example after a successful sign-in. */
export async function resetRateLimit(
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

/** Takes back a hit of each rule that turned out not to count. */
export async function undoRateHits({ db, config }: RateDeps, rules: RateRule[]): Promise<void> {
  const keys = rules.map((rule) => rateKey(config, rule))
  await db
    .update(rateLimits)
    .set({ hits: sql`${rateLimits.hits} - 1` })
    .where(and(inArray(rateLimits.key, keys), gt(rateLimits.hits, 0)))
}

export async function sweepRates({ db, clock }: Pick<RateDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, clock()))
}

function rateKey(config: Pick<Config, 'jwtSecret'>, { rule, subject }: Pick<RateRule, 'rule' | 'subject'>): string {
  return `${rule}:${createHmac('sha256', config.jwtSecret).update(`${rule}:${subject}`).digest('base64url')}`
}
