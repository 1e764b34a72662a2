import { and, count, eq, gt, notExists } from 'drizzle-orm'
import type { Mailbox } from '#server/account-hooks.ts'
import type { Transaction } from '#server/db/database.ts'
import { advisoryLock } from '#server/db/locks.ts'
import { domainWelcomeDays, type WelcomeRefusal, welcomeDays } from '../rules.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, ledgerEntries, welcomedMailboxes } from './table.ts'

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
