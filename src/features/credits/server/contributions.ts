import { and, asc, count, eq, gt, lte, notExists, sum } from 'drizzle-orm'
import type { EventSource } from '#features/events/server/events.ts'
import type { AccountHooks, Mailbox } from '#server/account-hooks.ts'
import type { Database, Transaction } from '#server/db/database.ts'
import { advisoryLock } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { publish } from '#server/notify.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { domainWelcomeDays, type WelcomeRefusal, welcomeDays } from '../rules.ts'
import type { CreditBalance } from '../schemas.ts'
import { creditApproval } from './adjust.ts'
import { creditBalance } from './balance.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, creditLots, ledgerEntries, welcomedMailboxes } from './table.ts'

const welcomeKey = (userId: string) => `welcome:${userId}`

interface Welcome {
  userId: string
  mailbox: Mailbox
  /** 0 where the operator gives none. */
  amount: number
  /** Within a year; 0 for any number. */
  perDomain: number
  now: Date
}

/**
 * Gives welcome credits once a mailbox and a user, or stores the reason of a refusal. Returns false
 * when given before or refused.
 */
export async function grantWelcome(tx: Transaction, welcome: Welcome): Promise<boolean> {
  const { userId, amount, now } = welcome
  if (amount <= 0) return false
  const refused = await reserveWelcome(tx, welcome)
  if (refused) {
    await lockAccount(tx, userId, now)
    const had = tx
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.uniqueKey, welcomeKey(userId)))
    await tx
      .update(creditAccounts)
      .set({ welcomeRefused: refused })
      .where(and(eq(creditAccounts.userId, userId), notExists(had)))
    return false
  }
  return grant(tx, {
    userId,
    kind: 'welcome',
    source: 'welcome',
    amount,
    expiresAt: daysAfter(now, welcomeDays),
    uniqueKey: welcomeKey(userId),
    now,
  })
}

/** Returns the reason of a refusal. */
async function reserveWelcome(
  tx: Transaction,
  { mailbox, perDomain, now }: Welcome,
): Promise<WelcomeRefusal | undefined> {
  if ('refused' in mailbox) return mailbox.refused
  const { hash, domain } = mailbox
  if (domain !== undefined && perDomain > 0) {
    await advisoryLock(tx, `welcome:${domain}`)
    const since = daysAfter(now, -domainWelcomeDays)
    const ofDomain = and(eq(welcomedMailboxes.domain, domain), gt(welcomedMailboxes.createdAt, since))
    const [found] = await tx.select({ count: count() }).from(welcomedMailboxes).where(ofDomain)
    if ((found?.count ?? 0) >= perDomain) return 'domain'
  }
  // A second concurrent transaction waits here for the first.
  const first = await tx
    .insert(welcomedMailboxes)
    .values({ hash, domain, createdAt: now })
    .onConflictDoNothing()
    .returning()
  return first.length === 0 ? 'mailbox' : undefined
}

const batchSize = 200

/** Returns the number of accounts. Safe at any time and in several processes. */
export async function expireAllLots(deps: { db: Database; clock: () => Date }, signal?: AbortSignal): Promise<number> {
  const now = deps.clock()
  let touched = 0
  for (;;) {
    const accounts = await deps.db
      .selectDistinct({ userId: creditLots.userId })
      .from(creditLots)
      .where(and(gt(creditLots.remaining, 0), lte(creditLots.expiresAt, now)))
      .limit(batchSize)
    for (const { userId } of accounts) {
      signal?.throwIfAborted()
      await transact(deps.db, async (tx) => {
        await lockAccount(tx, userId, now)
        await publish(tx, { kind: 'credits', userId })
      })
    }
    touched += accounts.length
    if (accounts.length < batchSize) return touched
  }
}

/** The ledger stays under an anonymous id. */
const personalData: PersonalData = {
  async *archive({ db, clock }, { userId }) {
    const entries = await db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.userId, userId))
      .orderBy(asc(ledgerEntries.id))
    yield jsonFile('ledger.json', {
      balance: await creditBalance(db, userId, clock()),
      entries: entries.map(({ userId: _, uniqueKey: __, ...entry }) => entry),
    })
  },
  async erase() {
    return []
  },
}

type Source = EventSource<Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>>

const creditEvents: Source = {
  concerns: (notification) => (notification.kind === 'credits' ? 'balance' : undefined),

  async read({ db, clock }, { userId }) {
    const { credits, unlimitedUntil, updatedAt } = await creditBalance(db, userId, clock())
    return [{ data: { credits, unlimitedUntil, updatedAt } }]
  },

  async start(deps, listener) {
    return { changes: await creditEvents.read(deps, listener, ['balance']) }
  },
}

const creditMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_credits',
    help: 'Credits held by users',
    labels: [],
    async read({ db }) {
      const [found] = await db.select({ total: sum(creditAccounts.balance) }).from(creditAccounts)
      return [{ labels: {}, value: Number(found?.total ?? 0) }]
    },
  },
]

const verified: AccountHooks['verified'][number] = (tx, { userId, mailbox, now, config }) =>
  grantWelcome(tx, { userId, mailbox, now, amount: config.welcomeCredits, perDomain: config.welcomesPerDomain })

async function work(deps: Deps): Promise<void> {
  await deps.jobs.every('expire-credits', 300, async (signal) => {
    await expireAllLots(deps, signal)
  })
}

export const creditContributions = {
  approvalActions: { credit_adjustment: creditApproval },
  events: creditEvents,
  metrics: creditMetrics,
  personalData,
  verified,
  work,
}
