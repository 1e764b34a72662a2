import { eq } from 'drizzle-orm'
import { fillInLocations } from '#features/locations/server/locations.ts'
import { fillInPresets } from '#features/presets/server/presets.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { requireConsent } from '#server/auth/consent.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { findTool } from '#tools/contract/tool.ts'
import { countFreePixels } from '../checks/free-pixels.ts'
import {
  acceptParams,
  generationInfoOf,
  problemsOf,
  refuseProblems,
  requireKnownInputs,
  takeInputs,
} from '../execution/accept-request.ts'
import { awaitJob } from '../execution/await-job.ts'
import { inputsOf } from '../execution/engine-job.ts'
import type { RequestInputs } from '../execution/read-request.ts'
import { type NewFile, storeInputs } from '../files/stored-files.ts'
import { findGeneration } from '../history/own-generations.ts'
import type { Generation } from '../history/views.ts'
import { type NewInput, type Rerendering, renderQueueOf } from '../queues.ts'
import { generationFiles, refundRequests } from '../table.ts'
import { readToolSettings, withRequiredMark } from '../tools.ts'
import { filesBeforeReplacement, findRendering } from './renderings.ts'

type RenderDeps = Pick<Deps, 'db' | 'store' | 'jobs' | 'notifier' | 'clock' | 'config' | 'tools' | 'withFolder'>

/**
 * Renders with other parameters or restores a `rendering`, free of charge, and waits for the end.
 * The old outputs stay until the new ones are ready.
 */
export async function renderGeneration(
  deps: RenderDeps,
  { userId, id }: { userId: string; id: string },
  {
    params,
    inputs: given,
    rendering,
  }: { params: Record<string, unknown>; inputs: RequestInputs; rendering?: number | undefined },
): Promise<Generation> {
  const generation = await findGeneration(deps.db, userId, id)
  if (generation.status !== 'succeeded') throw appError('generation.not_renderable')
  const stored = await deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
  if (!stored.some(({ role }) => role === 'output')) {
    throw appError((await isRefunded(deps.db, id)) ? 'generation.refunded' : 'generation.expired')
  }
  const tool = findTool(deps.tools, generation.tool)
  if (!tool) throw appError('generation.not_renderable')
  // Inputs and layers expire together, before the outputs.
  if (!stored.some(({ role }) => role === 'input')) throw appError('generation.not_renderable')
  if (tool.needsConsent) await requireConsent(deps.db, userId, tool.needsConsent)
  const earlier = rendering === undefined ? undefined : await findRendering(deps.db, id, rendering)
  // The server alone names the versions of locations.
  const { locations: _, ...asked } = await fillInPresets(deps.db, tool, params)
  const chosen = earlier?.params ?? mergeParams(tool.renderParams, generation.params, asked)
  const merged = await fillInLocations(deps.db, tool, acceptParams(tool, chosen), chosen.locations ?? [])
  const wanted = withRequiredMark(tool, merged, await readToolSettings(deps.db, tool.id))
  const accepted = await takeInputs(deps, userId, earlier ? {} : given)
  requireKnownInputs(tool, accepted, tool.renderInputs ?? [])
  const shown = earlier ? filesBeforeReplacement(tool, stored, earlier.files) : stored
  const staying = inputsOf(shown).filter(({ input }) => !accepted.some((file) => file.input === input))
  const info = generationInfoOf(tool, [...staying, ...accepted])
  refuseProblems(problemsOf(tool, wanted, info))
  await countFreePixels(deps, userId, [...staying, ...accepted].map(renderedPixels))
  const now = deps.clock()
  const inputs = await storeInputs(deps, id, accepted, now)
  await uploads.markUploadsUsed(deps.db, { refs: Object.values(given).flat(), by: id, now })

  const job: Rerendering = {
    jobId: crypto.randomUUID(),
    userId,
    generationId: id,
    params: wanted,
    ...(earlier && { position: earlier.position }),
    inputs: inputs.map(asNewInput),
  }
  await awaitJob(deps, renderQueueOf(tool), job, tool.timeLimit(info) + 15)
  return findGeneration(deps.db, userId, id)
}

async function isRefunded(db: Executor, id: string): Promise<boolean> {
  const [request] = await db
    .select({ status: refundRequests.status })
    .from(refundRequests)
    .where(eq(refundRequests.generationId, id))
  return request?.status === 'refunded'
}

/**
 * Frames per second of a video that count like pictures of their size: a frame is far less work.
 */
const countedFramesPerSecond = 5

function renderedPixels({ width, height, seconds }: { width: number; height: number; seconds: number }) {
  return { width, height: height * Math.max(1, countedFramesPerSecond * seconds) }
}

function asNewInput(file: NewFile): NewInput {
  const { label = '', position = 0, seconds = 0, createdAt, ...rest } = file
  return { ...rest, role: 'input', label, position, seconds, createdAt: createdAt.toISOString() }
}

/** Takes only changeable parameters from the request, all others from the paid generation. */
function mergeParams(
  renderable: readonly string[],
  paid: Record<string, unknown>,
  asked: Record<string, unknown>,
): Record<string, unknown> {
  const changed = Object.entries(asked)
  const fixed = changed.filter(
    ([name, value]) => !renderable.includes(name) && JSON.stringify(value) !== JSON.stringify(paid[name]),
  )
  if (fixed.length > 0) {
    throw appError('params.invalid', {
      details: Object.fromEntries(fixed.map(([name]) => [name.slice(0, 100), 'fixed'])),
    })
  }
  return { ...paid, ...Object.fromEntries(changed) }
}
