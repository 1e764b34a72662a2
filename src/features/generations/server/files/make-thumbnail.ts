import { and, eq, inArray, isNull } from 'drizzle-orm'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { signFileAddress } from '#server/storage/signed-address.ts'
import { smallPicture } from '#tools/engine/internal-tools.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { type ExecutionDeps, engineJob } from '../execution/engine-job.ts'
import { type JobFile, jobFile } from '../queues.ts'
import { generationFiles, generations } from '../table.ts'

const seconds = 20

/** Stores a thumbnail under a new, announced key; the caller must keep it. */
export async function makeThumbnail(
  deps: Pick<Deps, 'jobs' | 'notifier'>,
  picture: Omit<JobFile, 'input' | 'seconds'>,
  storageKey: string,
): Promise<void> {
  const files = [jobFile({ ...picture, input: 'picture', seconds: 0 })]
  await awaitJob(deps, 'make-thumbnail', { jobId: crypto.randomUUID(), storageKey, files }, seconds)
}

export function runThumbnail(
  deps: ExecutionDeps,
  { jobId, storageKey, files }: Jobs['make-thumbnail'],
  signal: AbortSignal,
) {
  return runAwaitedJob(deps, { jobId }, signal, async () => {
    const job = { tool: smallPicture, params: {}, files }
    const { thumbnail } = await engineJob(deps, 'make-thumbnail', job, { signal, seconds })
    if (!thumbnail) throw new Error('a picture has no thumbnail')
    const { bytes } = thumbnail
    await uploads.announceFiles(deps.db, { files: [{ storageKey, bytes: bytes.length }], now: deps.clock() })
    await deps.store.put(storageKey, bytes)
  })
}

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
