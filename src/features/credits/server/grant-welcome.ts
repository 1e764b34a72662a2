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
  /** Credits; 0 where the operator gives none. */
  amount: number
  /** Welcomes of one owner's domain within a year; 0 for any number. */
  perDomain: number
  now: Date
}

/**
 * Gives the welcome credits, once a mailbox and a user however often it is called, and notes for
 * the user why they did not come. Returns false when they were given before or do not come.
 */
export async function grantWelcome(tx: Transaction, welcome: Welcome): Promise<boolean> {
  const { userId, amount, now } = welcome
  if (amount <= 0) return false
  const refused = await claimWelcome(tx, welcome)
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

/** Marks the mailbox as welcomed; returns the reason where it is not. */
async function claimWelcome(
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
  // Of two transactions at once the second waits here until the first has ended.
  const first = await tx
    .insert(welcomedMailboxes)
    .values({ hash, domain, createdAt: now })
    .onConflictDoNothing()
    .returning()
  return first.length === 0 ? 'mailbox' : undefined
}
