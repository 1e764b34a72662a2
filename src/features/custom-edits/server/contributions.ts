import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { EventSource } from '#features/events/server/events.ts'
import type { PushDefinition } from '#features/push/server/push.ts'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps } from '#server/mail/mail-definition.ts'
import { addTime } from '#shared/time.ts'
import { linkDays } from '../rules.ts'
import { mailOverdueRequests, notifyRequestChange } from './notices.ts'
import { resultsPath } from './results.ts'
import { deleteFiles } from './store-files.ts'
import { customEditFiles, customEditNotes, customEdits } from './table.ts'

const changed = { data: {} }

/** Events are also sent at the start, since the last known state is unknown. */
const customEditEvents: EventSource<Record<string, never>> = {
  concerns: (notification) => (notification.kind === 'custom_edits' ? 'list' : undefined),
  read: async () => [changed],
  async start({ db }, { userId }) {
    const mine = db.select({ id: customEdits.id }).from(customEdits).where(eq(customEdits.userId, userId))
    const staff = db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), ne(users.role, 'user')))
    return { changes: (await mine.unionAll(staff).limit(1)).map(() => changed) }
  },
}

async function find({ db }: Pick<MailDeps, 'db'>, id: string | null) {
  return id === null ? undefined : (await db.select().from(customEdits).where(eq(customEdits.id, id)))[0]
}

async function lastMessage({ db }: Pick<MailDeps, 'db'>, { id, userId }: { id: string; userId: string }) {
  const { customEditId, authorId, shared } = customEditNotes
  const [last] = await db
    .select()
    .from(customEditNotes)
    .where(and(eq(customEditId, id), eq(shared, true), ne(authorId, userId)))
    .orderBy(desc(customEditNotes.id))
    .limit(1)
  return last
}

const boardPath = (id: string) => `/admin/request-custom?id=${id}`

const customEditMails = {
  custom_edit_done: {
    cause: 'account',
    async content(deps, { subjectId, language }) {
      const row = await find(deps, subjectId)
      if (row?.status !== 'done') return null
      const last = await lastMessage(deps, row)
      // The designer sends it with the results.
      const note = last && last.createdAt.getTime() === row.finishedAt?.getTime() ? last.text : ''
      const said = note && `\n\n${translate(language, 'mail.custom_edit_done.note', { note })}`
      const values = { title: row.title, note: said }
      return { path: resultsPath(deps, row.id), values }
    },
  },
  custom_edit_message: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      const last = row && (await lastMessage(deps, row))
      return row && last ? { path: '/history', values: { title: row.title, text: last.text } } : null
    },
  },
  custom_edit_answer: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      return row ? { path: boardPath(row.id), values: { title: row.title } } : null
    },
  },
  custom_edit_declined: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      if (row?.status !== 'declined') return null
      return { path: '/customize-edit', values: { title: row.title, reason: row.reason ?? '' } }
    },
  },
  custom_edit_new: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      // The request was taken or withdrawn before the mail was sent.
      return row?.status === 'new' ? { path: boardPath(row.id), values: { title: row.title } } : null
    },
  },
  custom_edit_overdue: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      const open = row?.status === 'new' || row?.status === 'in_progress'
      return row && open ? { path: boardPath(row.id), values: { title: row.title } } : null
    },
  },
} satisfies Record<string, MailDefinition>

const decided = (status: 'done' | 'declined'): PushDefinition => ({
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [request] = await db
      .select({ title: customEdits.title })
      .from(customEdits)
      .where(and(eq(customEdits.id, subjectId), eq(customEdits.status, status)))
    return request ? { path: '/history', groupPath: '/history', values: { title: request.title } } : null
  },
})

/** The newest message is not in the push, because a lock screen may show it to others. */
const written = (path: (id: string) => string, groupPath: string): PushDefinition => ({
  async content(deps, { subjectId }) {
    const request = await find(deps, subjectId)
    return request ? { path: path(request.id), groupPath, values: { title: request.title } } : null
  },
})

const customEditPushes = {
  custom_edit_done: decided('done'),
  custom_edit_declined: decided('declined'),
  custom_edit_message: written(() => '/history', '/history'),
  custom_edit_answer: written(boardPath, '/admin/request-custom'),
  custom_edit_rated: written(boardPath, '/admin/request-custom'),
} satisfies Record<string, PushDefinition>

type Tools = Pick<Deps, 'db' | 'store' | 'clock'>

export async function deleteOldPictures({ db, store, clock }: Tools): Promise<void> {
  const before = addTime(clock(), { days: -linkDays })
  const old = db.select({ id: customEdits.id }).from(customEdits).where(lt(customEdits.finishedAt, before))
  await store.delete(await transact(db, (tx) => deleteFiles(tx, inArray(customEditFiles.customEditId, old), clock())))
}

async function workCustomEdits(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-old-custom-edits', 6 * 3600, () => deleteOldPictures(deps))
  await deps.jobs.every('tell-of-overdue-custom-edits', 600, () => mailOverdueRequests(deps))
}

const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const mine = await db.select().from(customEdits).where(eq(customEdits.userId, userId)).orderBy(asc(customEdits.id))
    if (mine.length === 0) return
    const written = await db
      .select()
      .from(customEditNotes)
      .where(
        and(
          inArray(
            customEditNotes.customEditId,
            mine.map(({ id }) => id),
          ),
          eq(customEditNotes.shared, true),
        ),
      )
      .orderBy(asc(customEditNotes.id))
    yield jsonFile(
      'custom-edits/requests.json',
      mine.map(
        ({ id, status, title, whatsapp, email, description, reason, createdAt, finishedAt, stars, ratingComment }) => ({
          id,
          status,
          title,
          whatsapp,
          email,
          description,
          reason,
          createdAt,
          finishedAt,
          rating: stars === null ? null : { stars, comment: ratingComment ?? '' },
          messages: written
            .filter(({ customEditId }) => customEditId === id)
            .map(({ authorId, text, createdAt: at }) => ({ mine: authorId === userId, text, at })),
        }),
      ),
    )
    const files = await db
      .select({ file: customEditFiles })
      .from(customEditFiles)
      .innerJoin(customEdits, eq(customEdits.id, customEditFiles.customEditId))
      .where(eq(customEdits.userId, userId))
    for (const { file } of files) {
      const stored = await store.stream(file.storageKey).catch(() => undefined)
      const name = `custom-edits/${file.customEditId}/${file.role}-${file.position}-${file.name}`
      if (stored) yield { name, content: stored.body, modified: file.createdAt }
    }
  },

  async erase(tx, { userId, now }) {
    const mine = tx.select({ id: customEdits.id }).from(customEdits).where(eq(customEdits.userId, userId))
    const keys = await deleteFiles(tx, inArray(customEditFiles.customEditId, mine), now)
    const gone = await tx.delete(customEdits).where(eq(customEdits.userId, userId)).returning({ id: customEdits.id })
    if (gone.length > 0) await notifyRequestChange(tx)
    return keys
  },
}

const open = sql`select count(*) from ${customEdits} where ${customEdits.status} in ('new', 'in_progress')`

const openCounts = {
  customEdits: { count: () => open },
  customEditsOverdue: {
    count: (now: Date) => sql`${open} and ${customEdits.dueAt} < ${now.toISOString()}::timestamptz`,
  },
}

const customEditTimeline = (userId: string) =>
  [
    {
      kind: 'request',
      columns: {
        at: sql`${customEdits.createdAt}`,
        what: sql`'request'`,
        detail: sql`${customEdits.title}`,
        state: sql`${customEdits.status}`,
        subject: sql`${customEdits.id}`,
      },
      rows: sql`${customEdits} where ${customEdits.userId} = ${userId}`,
    },
  ] as const

export const customEditContributions = {
  admin: { openCounts, timeline: customEditTimeline },
  events: customEditEvents,
  mails: customEditMails,
  personalData,
  pushes: customEditPushes,
  work: workCustomEdits,
}
