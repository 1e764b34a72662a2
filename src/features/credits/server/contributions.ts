import { and, asc, count, eq, gt, lte, notExists, sum } from 'drizzle-orm'
import { approvalErrors, waitsForApproval } from '#features/approvals/server/approvals.ts'
import type { EventSource } from '#features/events/server/events.ts'
import { type AccountHooks, jsonFile, type Mailbox, type PersonalData } from '#server/account-hooks.ts'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Database, Transaction } from '#server/db/database.ts'
import { advisoryLock, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { reply, route } from '#server/http/route.ts'
import type { MetricSource } from '#server/metrics.ts'
import { publish } from '#server/notify.ts'
import { addTime } from '#shared/time.ts'
import { domainWelcomeDays, type WelcomeRefusal, welcomeDays } from '../rules.ts'
import {
  adjustCreditsInput,
  type CreditBalance,
  creditAdjustment,
  creditBalance as creditBalanceSchema,
  toolPriceInput,
  toolPriceList,
} from '../schemas.ts'
import { adjustCredits, creditApproval } from './adjust.ts'
import { creditBalance } from './balance.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { listToolPrices, setToolPrice } from './prices.ts'
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
    expiresAt: addTime(now, { days: welcomeDays }),
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
    const since = addTime(now, { days: -domainWelcomeDays })
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

export function creditRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  return [
    route('readBalance', 'GET /user/myCredit', requireUser(deps), {
      summary: 'Get your credit balance and expiry dates',
      output: { 200: ['The balance', creditBalanceSchema] },
      handler: (c) => creditBalance(deps.db, c.var.user.id, deps.clock()),
    }),
    route('listToolPrices', 'GET /admin/tool_prices', shop, {
      summary: 'List tool prices with their history',
      output: { 200: ['The prices', toolPriceList] },
      handler: async () => ({ items: await listToolPrices(deps) }),
    }),
    route('setToolPrice', 'PUT /admin/tool_prices/:tool', shop, {
      summary: "Set a tool's price, effective from the next generation",
      input: { json: toolPriceInput },
      output: { 200: ['The prices', toolPriceList] },
      errors: ['tool.unknown'],
      handler: async (c) => {
        await setToolPrice(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
        return { items: await listToolPrices(deps) }
      },
    }),
    route('adjustCredits', 'POST /admin/credit_adjustments', requirePermission(deps, 'credits'), {
      summary: 'Grant or take back credits; a refund in credits names its order',
      input: { json: adjustCreditsInput },
      idempotencyKey: 'adjustment',
      output: {
        201: ['The ledger entry; the same for a repeated idempotency key', creditAdjustment],
        ...waitsForApproval,
      },
      errors: [...approvalErrors, 'account.not_found', 'credits.insufficient'],
      handler: async (c) => {
        const key = c.var.idempotencyKey
        const adjusted = await adjustCredits(deps, c.var.user.id, key, c.req.valid('json'))
        return reply('approval' in adjusted ? 202 : 201, adjusted)
      },
    }),
  ]
}
