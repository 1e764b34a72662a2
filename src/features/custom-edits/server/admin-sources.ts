import { sql } from 'drizzle-orm'
import { customEdits } from './table.ts'

const open = sql`select count(*) from ${customEdits} where ${customEdits.status} in ('new', 'in_progress')`

export const openCounts = {
  customEdits: { count: () => open },
  customEditsOverdue: {
    count: (now: Date) => sql`${open} and ${customEdits.dueAt} < ${now.toISOString()}::timestamptz`,
  },
}

export const customEditTimeline = (userId: string) =>
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
