import { readFile } from 'node:fs/promises'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { type EncodedTask, encodeTask } from '#engine/node/task-files.ts'
import type { TaskInput, TaskName } from '#engine/task-types.ts'
import type { HostedTask } from '#providers/hosted/model.ts'
import { resultSize } from '#providers/normalize-result.ts'
import { type JobReport, NotSent, type Provider, Refused } from '#providers/provider.ts'
import { audit } from '#server/audit/audit.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import type { ProviderTestView, providerTestQuery } from '../../schemas.ts'
import { addJobs, failJob, moveJob, wakeNextWaiting } from './provider-jobs.ts'
import { BudgetExhausted, takeSlot } from './provider-slots.ts'
import { runTaskAtProvider } from './run-task-now.ts'

const timeoutMs = 180_000
const portrait = new URL('./sample/portrait.webp', import.meta.url)
/** Facial landmarks of the portrait in pixels. */
const face = [
  [213, 117],
  [266, 117],
  [240, 145],
  [218, 168],
  [262, 168],
] as const
const seed = 1

const testInputs: { readonly [Task in HostedTask]: (picture: Picture) => TaskInput[Task] } = {
  subjectMatte: (picture) => ({ picture }),
  inpaint: (picture) => ({ picture, mask: rocketMask(picture) }),
  upscale: (picture) => ({ picture, factor: 2, denoise: 0 }),
  restoreFaces: (picture) => ({ picture, faces: [face], strength: 1 }),
  colorize: (picture) => ({ picture: greyOf(picture) }),
  background: (picture) => ({ picture, matte: middleMask(picture), prompt: 'a sunny beach', seed, ...sizeOf(picture) }),
  portrait: (picture) => ({ picture, prompt: 'Professional headshot of this person in a bright office', seed }),
  outfit: (picture) => ({ picture, prompt: 'a black formal suit over a white collared shirt', seed }),
  cartoon: (picture) => ({ picture, prompt: "an illustration of a children's book in gouache", seed }),
  edit: (picture) => ({ picture, prompt: 'Make the background a plain light blue', seed }),
  restorePhoto: (picture) => ({ picture: greyOf(picture) }),
  addDetail: (picture) => ({ picture, factor: 2, seed }),
}

/**
 * Sends the bundled portrait. The test is recorded with the admin's name, and its cost counts. A
 * failure of the provider is returned as a sentence.
 */
export async function testProvider(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'jobs' | 'providers'>,
  adminId: string,
  { provider: id, task }: typeof providerTestQuery.infer,
  gone: AbortSignal,
): Promise<ProviderTestView> {
  const provider = deps.providers.find((known) => known.id === id)
  if (!provider || !(await provider.tasks()).includes(task)) throw appError('request.not_found')
  const work = await encodeTask(testInputs[task](await decodePicture(await readFile(portrait))))
  const subject = { kind: 'provider', id } as const
  await transact(deps.db, (tx) =>
    audit(tx, { actor: adminId, action: 'provider.tested', subject, after: { task }, now: deps.clock() }),
  )
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  try {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)])
    const { result, cost = null } = await runTaskForAdmin(deps, provider, { task, work }, signal)
    const [file] = result.files
    return { picture: file ? Buffer.from(file.bytes).toString('base64') : null, seconds: seconds(), cost, failed: null }
  } catch (error) {
    return { picture: null, seconds: seconds(), cost: null, failed: reasonOf(error) }
  }
}

const sizeOf = ({ width, height }: Picture) => ({ width, height })

function greyOf({ width, height, data }: Picture): Picture {
  const grey = new Uint8ClampedArray(data)
  for (let i = 0; i < grey.length; i += 4) grey.fill(data[i + 1] as number, i, i + 3)
  return { width, height, data: grey }
}

/** The plane is 1 between these shares of the width. */
function columns(picture: Picture, from: number, to: number) {
  const plane = createPlane(picture.width, picture.height)
  for (let y = 0; y < picture.height; y++) {
    const row = y * picture.width
    plane.data.fill(1, row + Math.round(from * picture.width), row + Math.round(to * picture.width))
  }
  return plane
}

const rocketMask = (picture: Picture) => columns(picture, 0.8, 1)
const middleMask = (picture: Picture) => columns(picture, 0.25, 0.7)

/** The task counts towards the provider's budget, and uses a slot like a generation's task. */
export async function runTaskForAdmin(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'jobs'>,
  provider: Provider,
  { task, work }: { task: TaskName; work: EncodedTask },
  signal: AbortSignal,
): Promise<Extract<JobReport, { state: 'done' }>> {
  const { db, clock } = deps
  const [wanted] = await addJobs(deps, [{ generationId: null, taskKey: '', task, provider: provider.id }])
  if (!wanted) throw new Error('could not insert the provider job')
  const sending = { state: 'asked', sent: 1, sentAt: clock(), ...resultSize({ task, ...work }) } as const
  let job = wanted
  try {
    const asked = await takeSlot(deps, provider, wanted, { ...sending, reference: crypto.randomUUID() })
    if (!asked) throw new NotSent('all its slots are taken')
    job = asked
    const report = await runTaskAtProvider(provider, { task, work, kept: asked }, signal)
    await moveJob(db, asked, { state: 'done', cost: report.cost ?? null, progress: 1, endedAt: clock() })
    return report
  } catch (error) {
    const isFree = [NotSent, Refused, BudgetExhausted].some((kind) => error instanceof kind)
    await failJob(deps, job, error, isFree ? 0 : undefined)
    throw error
  } finally {
    if (job.slot) await wakeNextWaiting(deps)
  }
}
