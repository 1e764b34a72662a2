import { and, eq, isNull } from 'drizzle-orm'
import type { PushDefinition } from '#features/push/server/push.ts'
import { translate } from '#server/i18n.ts'
import { findTool, isVideoTool } from '#tools/contract/tool.ts'
import { generations } from './table.ts'

const ended = (status: 'succeeded' | 'failed'): PushDefinition => ({
  async content({ db, tools }, { subjectId, language }) {
    if (subjectId === null) return null
    const [generation] = await db
      .select({ id: generations.id, tool: generations.tool, credits: generations.credits })
      .from(generations)
      .where(and(eq(generations.id, subjectId), eq(generations.status, status), isNull(generations.deletedAt)))
    const tool = generation && findTool(tools, generation.tool)
    if (!tool) return null
    return {
      path: `${tool.route}?result=${generation.id}`,
      groupPath: '/history',
      values: {
        what: translate(language, isVideoTool(tool) ? 'push.video.title' : 'push.photo.title'),
        credits: generation.credits,
      },
    }
  },
})

export const generationPushes = {
  result_ready: ended('succeeded'),
  run_failed: ended('failed'),
} satisfies Record<string, PushDefinition>
