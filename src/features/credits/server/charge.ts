import { and, desc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { dayMs } from '#shared/time.ts'
import { fairUsePerDay } from '../rules.ts'
import { lockAccount, statement } from './lock-account.ts'
import { ledgerEntries } from './table.ts'

declare const paid: unique symbol

/** Proof of payment in this transaction, which only `charge` creates and every generation needs. */
export interface Charged {
  readonly [paid]: true
  readonly userId: string
  readonly generationId: string
  readonly tool: string
  /** 0 under an unlimited package. */
  readonly credits: number
  readonly balance: number
  readonly unlimited: boolean
}

export interface ChargeRequest {
  userId: string
  generationId: string
  tool: string
  /** Credits, frozen in the entry. */
  unit: number
  credits: number
  now: Date
}

/**
 * Takes from lots by expiry, writes the entry and the moves. Does nothing when the lots do not
 * suffice, one has expired, or the account's unlimited state differs from $7.
 */
export const chargeStatement = `with lots as (
     select id, sum(remaining) over (order by expires_at, id) - remaining as before, remaining, expires_at
     from credit_grants where user_id = $1::uuid and remaining > 0
   ), takes as (
     select id, least(remaining, $3::int - before)::int as credits from lots where before < $3::int
   ), account as (
     update credit_accounts set balance = balance - $3::int, updated_at = $2::timestamptz
     where user_id = $1::uuid and (select coalesce(sum(credits), 0) from takes) = $3::int
       and not exists (select from lots where expires_at <= $2::timestamptz)
       and coalesce(unlimited_until > $2::timestamptz, false) = $7::boolean
     returning balance
   ), taken as (
     update credit_grants g set remaining = g.remaining - takes.credits from takes, account where g.id = takes.id
     returning g.id, takes.credits
   ), entry as (
     insert into ledger_entries (user_id, kind, amount, balance_after, unique_key, subject_id, price, created_at)
     select $1::uuid, 'generation', -$3::int, balance, $4::text, $5::uuid, $6::jsonb, $2::timestamptz from account
     returning id, balance_after
   ), moves as (
     insert into credit_grant_moves (entry_id, grant_id, amount) select entry.id, taken.id, -taken.credits from entry, taken
   )
   select balance_after from entry`

const chargeLots = statement<{ balance_after: number }>(chargeStatement)

/** Takes credits by expiry, earliest first; throws `credits.insufficient` or `credits.fair_use`. */
export async function charge(tx: Transaction, request: ChargeRequest): Promise<Charged> {
  const { userId, now } = request
  // Sent together, executed in order: nearly always the account is limited and nothing in it has
  // expired.
  const [account, charged] = await Promise.all([lockAccount(tx, userId, now), take(tx, request, false)])
  if (charged) return charged
  const unlimited = account.unlimitedUntil !== null && account.unlimitedUntil > now
  if (unlimited) await enforceFairUse(tx, userId, now)
  const chargedNow = await take(tx, request, unlimited)
  if (chargedNow) return chargedNow
  throw appError('credits.insufficient', {
    details: { credits: String(request.credits), balance: String(account.balance) },
  })
}

async function take(tx: Transaction, request: ChargeRequest, unlimited: boolean): Promise<Charged | undefined> {
  const { userId, generationId, tool, unit, now } = request
  const credits = unlimited ? 0 : request.credits
  const price = { tool, unit, credits: request.credits, ...(unlimited && { unlimited }) }
  const [entry] = await chargeLots(tx, [
    userId,
    now.toISOString(),
    credits,
    `generation:${generationId}`,
    generationId,
    JSON.stringify(price),
    unlimited,
  ])
  return entry && ({ userId, generationId, tool, credits, balance: entry.balance_after, unlimited } as Charged)
}

/** An unlimited package allows a fixed number of generations in any 24 hours. */
async function enforceFairUse(tx: Transaction, userId: string, now: Date): Promise<void> {
  const [oldest] = await tx
    .select({ createdAt: ledgerEntries.createdAt })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.userId, userId),
        eq(ledgerEntries.kind, 'generation'),
        sql`${ledgerEntries.price} ? 'unlimited'`,
      ),
    )
    .orderBy(desc(ledgerEntries.id))
    .offset(fairUsePerDay - 1)
    .limit(1)
  if (!oldest) return
  const freeAt = oldest.createdAt.getTime() + dayMs
  if (freeAt > now.getTime()) {
    throw appError('credits.fair_use', { retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) })
  }
}
