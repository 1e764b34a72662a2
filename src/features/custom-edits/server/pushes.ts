import { and, eq } from 'drizzle-orm'
import type { PushDefinition } from '#features/push/server/push.ts'
import { customEdits } from './table.ts'

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

export const customEditPushes = {
  custom_edit_done: decided('done'),
  custom_edit_declined: decided('declined'),
} satisfies Record<string, PushDefinition>
