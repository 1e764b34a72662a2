import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'
import type { Picture } from '#engine/image/picture.ts'
import { decodeTask, type EncodedTask, encodeTask } from '#engine/node/task-files.ts'
import { matteVideo } from '#engine/node/video/matte-video.ts'
import { families } from './families/registry.ts'
import type { OnnxSessions } from './family.ts'
import { asSession } from './runtime-session.ts'

/** What the process of models is asked to do. */
export interface ModelJob {
  number: number
  family: string
  /** By the parts that the family names. */
  files: Readonly<Record<string, { path: string; sha256: string }>>
  work: EncodedTask
  /** Threads of one network. */
  threads: number
}

/** What it answers; before that, that the work goes on, and how far it is where that is known. */
export type ModelAnswer = { number: number } & ({ result: EncodedTask } | { reason: string } | { progress?: number })

type Runtime = typeof import('onnxruntime-node')

/** Sessions that are kept open, each with the memory of its network. */
const maxSessions = 3
const sessions = new Map<string, InferenceSession>()

/** Graphics processors, where the runtime's part for them is present, and the processor. */
function providersOf(): string[] {
  const binding = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..', 'bin', 'napi-v6')
  const cuda = join(binding, process.platform, process.arch, 'libonnxruntime_providers_cuda.so')
  return existsSync(cuda) ? ['cuda', 'cpu'] : ['cpu']
}

async function openSession(
  { InferenceSession }: Runtime,
  { path, sha256 }: ModelJob['files'][string],
  threads: number,
): Promise<InferenceSession> {
  const known = sessions.get(sha256)
  if (known) {
    sessions.delete(sha256)
    sessions.set(sha256, known)
    return known
  }
  // From memory: what is opened by its path is not given back whole (onnxruntime#25325).
  const content = await readFile(path)
  if (createHash('sha256').update(content).digest('hex') !== sha256) {
    throw new Error('the file of the model has changed since it was added')
  }
  const session = await InferenceSession.create(content, {
    executionProviders: providersOf(),
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Memory goes back after each layer and run: with the arena IS-Net grew from 1.4 to 2.3 GB.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Idle threads do not spin: the engine's own need the processor.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  sessions.set(sha256, session)
  const [[oldest, first] = []] = sessions
  if (sessions.size > maxSessions && oldest && first) {
    sessions.delete(oldest)
    await first.release()
  }
  return session
}

async function perform(
  { family: id, files, work, threads }: ModelJob,
  onProgress: (share?: number) => void,
): Promise<EncodedTask> {
  const family = families.find((known) => known.id === id)
  if (!family) throw new Error(`there is no family ${id}`)
  const runtime = await import('onnxruntime-node')
  const open: OnnxSessions = {}
  for (const [part, file] of Object.entries(files)) {
    open[part] = asSession(runtime, await openSession(runtime, file, threads), onProgress)
  }
  const { signal } = new AbortController()
  if ('perform' in family) return encodeTask(await family.perform(await decodeTask(work), open, signal, onProgress))
  const find = (frames: AsyncIterable<Picture>) => family.findMattes(frames, open)
  return encodeTask({ masks: await matteVideo(await decodeTask(work), find, { signal, onProgress }) })
}

// Where memory runs out, this process goes before the server does.
if (process.platform === 'linux') await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
// Whoever asked is gone.
process.on('disconnect', () => process.exit())
// A terminal and a process group tell everybody to stop; the server decides what becomes of a job.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.on('message', async (job: ModelJob) => {
  const { number } = job
  const say = (answer: object) => process.send?.({ number, ...answer })
  try {
    say({ result: await perform(job, (progress) => say({ progress })) })
  } catch (error) {
    say({ reason: error instanceof Error ? error.message : String(error) })
  }
})
