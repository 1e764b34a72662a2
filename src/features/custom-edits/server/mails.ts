import { eq } from 'drizzle-orm'
import type { MailDefinition, MailDeps } from '#server/mail/mail-definition.ts'
import { resultsPath } from './results.ts'
import { customEdits } from './table.ts'

async function find({ db }: Pick<MailDeps, 'db'>, id: string | null) {
  return id === null ? undefined : (await db.select().from(customEdits).where(eq(customEdits.id, id)))[0]
}

const boardPath = (id: string) => `/admin/request-custom?id=${id}`

/** The mails about requests for a designer. */
export const customEditMails = {
  custom_edit_done: {
    cause: 'account',
    async content(deps, { subjectId }) {
      const row = await find(deps, subjectId)
      if (row?.status !== 'done') return null
      return { path: resultsPath(deps, row.id), values: { title: row.title } }
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
      // Taken, or taken back, before the mail went out.
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
