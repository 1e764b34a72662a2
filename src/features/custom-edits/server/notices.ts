import { and, asc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { findStaff } from '#server/auth/accounts.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { publish } from '#server/notify.ts'
import { customEdits } from './table.ts'
import type { CustomEdit } from './views.ts'

/** The next pass continues. */
const batch = 100

/** Admins if there are no designers. */
export async function designers(tx: Transaction): Promise<string[]> {
  const found = await findStaff(tx, 'designer')
  return found.length > 0 ? found : await findStaff(tx, 'admin')
}

async function queueMails(
  tx: Transaction,
  {
    template,
    people,
    id,
    now,
  }: { template: 'custom_edit_new' | 'custom_edit_overdue'; people: string[] } & {
    id: string
    now: Date
  },
): Promise<void> {
  for (const userId of people) await enqueueMail(tx, { template, userId, subjectId: id, now })
}

/** Caused by a user in a day, and by all users in an hour. */
const newRequestMails = { person: 3, all: 30 }

/** Beyond the limit only the board shows new requests. */
export function canMailDesigners(deps: Pick<Deps, 'db' | 'clock' | 'config'>, userId: string): Promise<boolean> {
  return isWithinRate(deps, [
    { rule: 'custom_edits:notice', subject: userId, limit: newRequestMails.person, seconds: 86_400 },
    { rule: 'custom_edits:notices', subject: '', limit: newRequestMails.all, seconds: 3600 },
  ])
}

export async function mailDesigners(tx: Transaction, { id, createdAt: now }: CustomEdit): Promise<void> {
  await queueMails(tx, { template: 'custom_edit_new', people: await designers(tx), id, now })
}

/** Announces an overdue request once: to its designer, or to all while unassigned. */
export async function mailOverdueRequests({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const late = await tx
      .select()
      .from(customEdits)
      .where(
        and(
          inArray(customEdits.status, ['new', 'in_progress']),
          lt(customEdits.dueAt, now),
          isNull(customEdits.overdueNoticeAt),
        ),
      )
      .orderBy(asc(customEdits.dueAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    for (const { id, designerId } of late) {
      const people = designerId ? [designerId] : await designers(tx)
      await queueMails(tx, { template: 'custom_edit_overdue', people, id, now })
      await tx.update(customEdits).set({ overdueNoticeAt: now }).where(eq(customEdits.id, id))
    }
    if (late.length > 0) await notifyRequestChange(tx)
  })
}

/** Notifies when the transaction commits; `owner` only where the change is visible to them. */
export async function notifyRequestChange(tx: Transaction, owner?: string): Promise<void> {
  const staff = [...(await findStaff(tx, 'designer')), ...(await findStaff(tx, 'admin'))]
  const people = new Set(owner === undefined ? staff : [owner, ...staff])
  if (people.size > 0) await publish(tx, ...[...people].map((userId) => ({ kind: 'custom_edits' as const, userId })))
}
