import { and, desc, eq, ne } from 'drizzle-orm'
import { translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps } from '#server/mail/mail-definition.ts'
import { resultsPath } from './results.ts'
import { customEditNotes, customEdits } from './table.ts'

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

export const customEditMails = {
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
