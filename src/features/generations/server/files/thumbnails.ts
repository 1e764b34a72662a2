import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { signFileAddress } from '#server/storage/signed-address.ts'
import { generationFiles, generations } from '../table.ts'

interface ThumbnailDeps {
  db: Executor
  config: Pick<Config, 'fileSigningKey'>
  clock: () => Date
}

/** Deleted generations have only the name of their tool. */
export async function thumbnailsOf(
  { db, config, clock }: ThumbnailDeps,
  { userId, sessionId: session }: { userId: string; sessionId: string },
  ids: string[],
): Promise<Map<string, { id: string; tool: string; thumbnailUrl: string | null }>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: generations.id, tool: generations.tool, fileId: generationFiles.id, name: generationFiles.name })
    .from(generations)
    .leftJoin(
      generationFiles,
      and(
        eq(generationFiles.generationId, generations.id),
        eq(generationFiles.role, 'thumbnail'),
        isNull(generations.deletedAt),
      ),
    )
    .where(and(eq(generations.userId, userId), inArray(generations.id, ids)))
  return new Map(
    found.map(({ id, tool, fileId, name }) => [
      id,
      {
        id,
        tool,
        thumbnailUrl:
          fileId && name ? signFileAddress({ id: fileId, name, session }, config.fileSigningKey, clock()) : null,
      },
    ]),
  )
}
