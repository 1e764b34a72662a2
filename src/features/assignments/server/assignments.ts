import { and, asc, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PersonalData } from '#server/account-hooks.ts'
import { audit } from '#server/audit/audit.ts'
import { users } from '#server/auth/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { permissionsOf } from '#shared/roles.ts'
import { type AssignableWork, assignableWork } from '../rules.ts'
import type { Colleagues } from '../schemas.ts'
import { assignments as table } from './table.ts'

interface Work {
  kind: AssignableWork
  id: string
}

/** Active staff with the permission for the work, by name. */
async function listColleagues(db: Executor, kind: AssignableWork): Promise<Colleagues['items']> {
  const active = and(eq(users.role, 'admin'), isNull(users.disabledAt), isNull(users.deletedAt))
  const staff = await db.select().from(users).where(active).orderBy(asc(users.name))
  return staff.filter((one) => permissionsOf(one).includes(assignableWork[kind])).map(({ id, name }) => ({ id, name }))
}

/**
 * The caller has locked the work. The new assignee gets a mail, unless they assigned it
 * themselves.
 */
async function assign(
  tx: Transaction,
  { kind, id }: Work,
  { assignee, by, now }: { assignee: string | null; by: string; now: Date },
): Promise<void> {
  const own = and(eq(table.kind, kind), eq(table.subjectId, id))
  const [before] = await tx.select({ assignee: table.assigneeId }).from(table).where(own)
  if ((before?.assignee ?? null) === assignee) return
  if (assignee === null) await tx.delete(table).where(own)
  else {
    const able = await listColleagues(tx, kind)
    if (!able.some((one) => one.id === assignee)) throw appError('account.not_found')
    const row = { assigneeId: assignee, assignedBy: by, assignedAt: now }
    await tx
      .insert(table)
      .values({ kind, subjectId: id, ...row })
      .onConflictDoUpdate({ target: [table.kind, table.subjectId], set: row })
    if (assignee !== by) await enqueueMail(tx, { template: 'work_assigned', userId: assignee, subjectId: id, now })
  }
  await audit(tx, {
    actor: by,
    action: `${kind === 'order' ? 'order' : 'claim'}.assigned`,
    subject: { kind: kind === 'order' ? 'order' : 'generation', id },
    before: { assignee: before?.assignee ?? null },
    after: { assignee },
    now,
  })
}

/** Assignees by the ids of the work. */
async function assigneesOf(
  db: Executor,
  kind: AssignableWork,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ subjectId: table.subjectId, id: users.id, name: users.name })
    .from(table)
    .innerJoin(users, eq(users.id, table.assigneeId))
    .where(and(eq(table.kind, kind), inArray(table.subjectId, [...ids])))
  return new Map(found.map(({ subjectId, id, name }) => [subjectId, { id, name }]))
}

/** Condition on the column with the work's id. */
const isAssignedTo = (kind: AssignableWork, subject: SQLWrapper, staffId: string): SQL =>
  sql`${subject} in (select ${table.subjectId} from ${table}
    where ${table.kind} = ${kind} and ${table.assigneeId} = ${staffId}::uuid)`

const pathOf = { order: (id: string) => `/admin/billing/${id}`, refund_request: () => '/admin/klaim?mine=true' }

const work_assigned: MailDefinition = {
  cause: 'account',
  async content({ db }, { userId, subjectId }) {
    if (subjectId === null) return null
    const mine = and(eq(table.subjectId, subjectId), eq(table.assigneeId, userId))
    const [found] = await db
      .select({ kind: table.kind, by: users.name })
      .from(table)
      .leftJoin(users, eq(users.id, table.assignedBy))
      .where(mine)
    // Another member of staff has the work by now.
    return found ? { path: pathOf[found.kind](subjectId), values: { name: found.by ?? '' } } : null
  },
}

const personalData: PersonalData = {
  // The work of staff is in the audit log.
  async *archive() {},
  async erase(tx, { userId }) {
    await tx.delete(table).where(eq(table.assigneeId, userId))
    return []
  },
}

export const assignmentContributions = { mails: { work_assigned }, personalData }

export const assignments = { assign, assigneesOf, isAssignedTo, listColleagues }
