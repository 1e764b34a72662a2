import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { InferenceSession } from 'onnxruntime-node'
import type { Picture } from '#engine/image/picture.ts'
import { openSession } from '#engine/node/networks/open-session.ts'
import { serveNetworks } from '#engine/node/networks/serve-networks.ts'
import { decodeTask, type EncodedTask, encodeTask } from '#engine/node/task-files.ts'
import { matteVideo } from '#engine/node/video/matte-video.ts'
import { families } from './families/registry.ts'
import type { OnnxSessions } from './family.ts'
import { asSession } from './runtime-session.ts'

export interface ModelJob {
  family: string
  /** By the part names of the family. */
  files: Readonly<Record<string, { path: string; sha256: string }>>
  work: EncodedTask
  /** Of one network. */
  threads: number
}

/** Each session has the memory of its network. */
const maxSessions = 3
const sessions = new Map<string, InferenceSession>()

async function keepSession({ path, sha256 }: ModelJob['files'][string], threads: number): Promise<InferenceSession> {
  const known = sessions.get(sha256)
  if (known) {
    sessions.delete(sha256)
    sessions.set(sha256, known)
    return known
  }
  // Hash the loaded bytes, so that nothing can be exchanged in between.
  const content = await readFile(path)
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) {
    const advice = 'npm run models -- remove and add the model again'
    throw new Error(`${path} has changed since it was added: SHA-256 ${found} instead of ${sha256}; ${advice}`)
  }
  const session = await openSession(content, threads)
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
    open[part] = asSession(runtime, await keepSession(file, threads), onProgress)
  }
  const { signal } = new AbortController()
  if ('perform' in family) return encodeTask(await family.perform(await decodeTask(work), open, signal, onProgress))
  const find = (frames: AsyncIterable<Picture>) => family.findMattes(frames, open)
  return encodeTask({ masks: await matteVideo(await decodeTask(work), find, { signal, onProgress }) })
}

await serveNetworks(perform)
