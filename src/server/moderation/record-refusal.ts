import { createHmac } from 'node:crypto'
import { and, eq, gt, lt } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import { limitAccount, runningLimit } from './account-limit.ts'
import { contentRefusals } from './table.ts'

interface Refused {
  userId: string
  tool: string
  kind: RefusalKind
  /** Words, or hashes of the pictures: the same content counts once. */
  content: string
}

/** Different refused contents within the window limit the account, until its end by itself. */
export async function recordRefusal(
  tx: Transaction,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, tool, kind, content }: Refused,
): Promise<void> {
  const now = clock()
  // Serializes refusals of the user, so that concurrent ones do not limit the account twice.
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) return
  const key = `refused content: ${userId}: ${kind}: ${content}`
  const contentHash = createHmac('sha256', config.jwtSecret).update(key).digest('base64url')
  const added = await tx
    .insert(contentRefusals)
    .values({ userId, contentHash, kind, tool, createdAt: now })
    .onConflictDoNothing()
    .returning({ userId: contentRefusals.userId })
  const { refusals, windowHours, limitHours } = config.moderation
  if (added.length === 0 || refusals === null) return
  const since = new Date(now.getTime() - windowHours * 3_600_000)
  const counted = and(eq(contentRefusals.userId, userId), gt(contentRefusals.createdAt, since))
  if ((await tx.$count(contentRefusals, counted)) < refusals || (await runningLimit(tx, userId, now))) return
  await limitAccount(tx, { userId, hours: limitHours, reason: null, by: null, now })
}

const keptDays = 30

export async function deleteOldRefusals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - keptDays * 86_400_000)
  await db.delete(contentRefusals).where(lt(contentRefusals.createdAt, before))
}
