import { and, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { linkPicture } from '#tools/engine/internal-tools.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { type ExecutionDeps, engineJob } from '../execution/engine-job.ts'
import type { GenerationFile } from '../history/views.ts'
import { jobFile } from '../queues.ts'
import { generationFiles, generations } from '../table.ts'
import { insertFiles, storeOutputs } from './stored-files.ts'

const seconds = 20

interface Shown {
  result: GenerationFile
  original: GenerationFile | undefined
}

/** Other pictures need another link picture. */
const labelOf = ({ result, original }: Shown) => [result.id, original?.id].filter(Boolean).join(' ')

/** The picture is made at its first request. */
export async function linkPictureOf(
  deps: Pick<Deps, 'db' | 'jobs' | 'notifier'>,
  shown: Shown,
): Promise<GenerationFile> {
  const { id: jobId, generationId } = shown.result
  const label = labelOf(shown)
  const known = await find(deps.db, generationId, label)
  if (known) return known
  const files = [shown.result, shown.original].flatMap((file, i) =>
    file ? [jobFile({ ...file, input: i === 0 ? 'after' : 'before' })] : [],
  )
  await awaitJob(deps, 'make-link-picture', { jobId, generationId, label, files }, seconds)
  const made = await find(deps.db, generationId, label)
  if (!made) throw appError('file.not_found')
  return made
}

async function find(executor: Executor, generationId: string, label: string): Promise<GenerationFile | undefined> {
  const [file] = await executor
    .select()
    .from(generationFiles)
    .where(
      and(
        eq(generationFiles.generationId, generationId),
        eq(generationFiles.role, 'link_picture'),
        eq(generationFiles.label, label),
      ),
    )
  return file
}

/** The link picture is deleted with the files that it shows. */
export function makeLinkPicture(
  deps: ExecutionDeps,
  { jobId, generationId, label, files }: Jobs['make-link-picture'],
  signal: AbortSignal,
) {
  return runAwaitedJob(deps, { jobId, generationId }, signal, async () => {
    const { db, store, clock } = deps
    const { outputs } = await engineJob(
      deps,
      'make-link-picture',
      { tool: linkPicture, params: {}, files },
      { signal, seconds },
    )
    const named = outputs.map((file) => {
      return { role: 'link_picture' as const, name: 'link.jpg', position: 0, file: { ...file, label } }
    })
    const made = await storeOutputs(deps, generationId, named, clock())
    const kept = await transact(db, async (tx) => {
      const [owner] = await tx
        .select({ userId: generations.userId })
        .from(generations)
        .where(eq(generations.id, generationId))
        .for('update')
      const there = await tx.$count(generationFiles, inArray(generationFiles.id, label.split(' ')))
      if (!owner || there < files.length) return false
      await insertFiles(tx, owner.userId, made, clock())
      return true
    })
    if (!kept) await store.delete(made.map(({ storageKey }) => storageKey))
  })
}
