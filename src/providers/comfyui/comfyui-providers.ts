import sharp from 'sharp'
import { maxResultBytes, normalizeResult, WrongResult } from '../normalize-result.ts'
import {
  type JobChange,
  type JobReport,
  NotSent,
  type Provider,
  ResultUnavailable,
  type SubmittedTask,
  type TaskRequest,
} from '../provider.ts'
import { TooLarge } from '../read-limited.ts'
import { type ComfyClient, type ComfyFile, type ComfyHistory, ComfyRefusal, type ComfyServer } from './client.ts'
import { cancelPrompt, createServers, recordAnswer, recordSilence, type ServerState, type Servers } from './servers.ts'
import { acceptsRequest, type BrokenWorkflow, fillWorkflow, loadWorkflows, type Workflow } from './workflows.ts'

interface ComfyOptions {
  servers: readonly ComfyServer[]
  /** With a folder for each task. */
  workflowsDir: string
  /** Milliseconds for which the known state of a server is valid. */
  statusTtlMs?: number
  /** Milliseconds without an answer after which a server's jobs go to another. */
  lostAfterMs?: number
}

/** Seconds after which a prompt is given up. */
const timeLimitSeconds = 900
/** Seconds between polls of a prompt, beside its events. */
const pollSeconds = 2
const eventIntervalMs = 1000

/** A provider for each workflow; all share the servers, each of which does one prompt at a time. */
export function createComfyProviders({
  servers: given,
  workflowsDir,
  statusTtlMs = 10_000,
  lostAfterMs = 30_000,
}: ComfyOptions) {
  const { workflows, broken } = given.length > 0 ? loadWorkflows(workflowsDir) : { workflows: [], broken: [] }
  const servers = createServers(given, workflows, { statusTtlMs, lostAfterMs })
  const watches = createWatches()
  const providers = workflows.map((workflow) => comfyProvider(workflow, servers, watches))
  return { providers: [...providers, ...broken.map(brokenProvider)], close: () => watches.close() }
}

function comfyProvider(workflow: Workflow, servers: Servers, watches: Watches): Provider {
  const missingPartsOn = ({ missingParts }: ServerState) => missingParts.get(workflow.id)
  const able = (state: ServerState) => missingPartsOn(state)?.length === 0

  async function onServer<Value>(state: ServerState, ask: () => Promise<Value>): Promise<Value> {
    try {
      const value = await ask()
      recordAnswer(state)
      return value
    } catch (error) {
      // Queue and history were read before a result that cannot be downloaded.
      if (isPermanentError(error) || error instanceof ResultUnavailable) recordAnswer(state)
      else recordSilence(state, error)
      throw error
    }
  }

  return {
    id: workflow.id,
    timeLimit: timeLimitSeconds,
    async tasks() {
      // A short silence may end, or another server takes the jobs.
      const states = await servers.current()
      return states.some((state) => able(state) && !servers.isGone(state)) ? [workflow.task] : []
    },
    isBetter: () => true,
    accepts: (request) => acceptsRequest(workflow, request),
    async slots() {
      const states = (await servers.current()).filter((state) => state.ok && able(state))
      const cost = ({ queued, loadedWorkflow }: ServerState) => 2 * queued + (loadedWorkflow === workflow.id ? 0 : 1)
      return states.toSorted((a, b) => cost(a) - cost(b)).map(({ url }) => url)
    },
    async submit({ reference, slot, smaller, files, data }, signal) {
      const state = servers.of(slot)
      if (!state) throw new Error('the server is gone')
      const { client } = state
      watches.start(workflow.id, state, reference)
      const sending = onServer(state, async () => {
        const pictures: Record<string, string> = {}
        for (const { label, bytes } of await scalePictures(files, workflow, smaller)) {
          if (workflow.slots.some(({ name }) => name === label))
            pictures[label] = await client.upload(`${reference}-${label}.png`, bytes, signal)
        }
        const id = await client.queuePrompt(fillWorkflow(workflow, { pictures, data }, reference), reference, signal)
        state.loadedWorkflow = workflow.id
        return id
      })
      return sending.catch((error: unknown) => {
        watches.stop(reference)
        signal.throwIfAborted()
        if (error instanceof ComfyRefusal) throw error
        // If the request arrived nevertheless, its result is ignored.
        state.abandoned.add(reference)
        throw new NotSent('the server does not answer', { cause: error })
      })
    },
    async find({ reference, slot }) {
      const state = servers.of(slot)
      if (!state || servers.isGone(state)) return undefined
      return onServer(state, async () => {
        const { running, pending } = await state.client.queue()
        if ([...running, ...pending].includes(reference)) return reference
        return (await state.client.history(reference)) && reference
      })
    },
    async poll(job) {
      const state = servers.of(job.slot)
      if (!state) return { state: 'lost' }
      try {
        const report = await onServer(state, () => readState(workflow, state, job, watches))
        if (report.state === 'running') watches.start(workflow.id, state, job.externalId)
        else watches.stop(job.externalId)
        return report
      } catch (error) {
        if (error instanceof ResultUnavailable) throw error
        if (isPermanentError(error)) return { state: 'failed', reason: error.message }
        if (!servers.isGone(state)) return { state: 'running', pollAfterSeconds: pollSeconds }
        state.abandoned.add(job.externalId)
        watches.stop(job.externalId)
        return { state: 'lost' }
      }
    },
    async cancel({ externalId, slot }) {
      watches.stop(externalId)
      const state = servers.of(slot)
      if (!state) return
      state.abandoned.add(externalId)
      await cancelPrompt(state.client, externalId)
      state.abandoned.delete(externalId)
    },
    async forget({ externalId, slot }) {
      await servers.of(slot)?.client.forget(externalId)
    },
    listen: (onChange) => watches.listen(workflow.id, onChange),
    async health() {
      const states = await servers.current()
      const lines = states.map((state) => {
        const lacks = missingPartsOn(state) ?? []
        const status = !state.ok ? state.detail : lacks.length > 0 ? `lacks ${lacks.join(', ')}` : state.detail
        return `${new URL(state.url).host}: ${status}`
      })
      return { ok: states.some((state) => state.ok && able(state)), detail: lines.join('; ') }
    },
  }
}

/** A retry does not change these answers. */
const isPermanentError = (error: unknown): error is Error =>
  error instanceof ComfyRefusal || error instanceof TooLarge || error instanceof WrongResult

/** Listed for admins with the problem of its file. */
const brokenProvider = ({ id, problem }: BrokenWorkflow): Provider => ({
  id,
  timeLimit: 0,
  tasks: async () => [],
  isBetter: () => false,
  submit: async () => {
    throw new Error(problem)
  },
  poll: async () => ({ state: 'failed', reason: problem }),
  cancel: async () => {},
  health: async () => ({ ok: false, detail: problem }),
})

/** Reads queue and history; events only report progress. */
async function readState(
  { result }: Workflow,
  { client }: ServerState,
  job: SubmittedTask,
  watches: Watches,
): Promise<JobReport> {
  const { externalId: id } = job
  const { running, pending } = await client.queue()
  // In this order, because a prompt that leaves the queue is in the history already.
  if ([...running, ...pending].includes(id))
    return { state: 'running', progress: watches.progressOf(id), pollAfterSeconds: pollSeconds }
  const ended = await client.history(id)
  if (!ended) return { state: 'lost' }
  const failure = failureOf(ended)
  if (failure?.tooLarge) {
    await client.free()
    return { state: 'lost', tooLarge: true }
  }
  if (failure) return { state: 'failed', reason: failure.reason }
  const file = ended.outputs[result]?.images?.[0]
  // Cached: the same graph was run before, so nothing was made.
  if (!file) return { state: 'lost' }
  return { state: 'done', result: await normalizeResult(await download(client, file), job) }
}

/** Throws {@link ResultUnavailable} if another try may succeed. */
async function download(client: ComfyClient, file: ComfyFile): Promise<Uint8Array> {
  try {
    return await client.view(file, maxResultBytes)
  } catch (cause) {
    throw isPermanentError(cause) ? cause : new ResultUnavailable({ cause })
  }
}

function failureOf({ status }: ComfyHistory): { reason: string; tooLarge: boolean } | undefined {
  if (!status || status.status_str === 'success') return undefined
  const [event, data] = status.messages?.at(-1) ?? []
  if (event === 'execution_interrupted') return { reason: 'it was interrupted', tooLarge: false }
  const text = (name: string) => (typeof data?.[name] === 'string' ? (data[name] as string) : '')
  const message = `${text('exception_type')}: ${text('exception_message')}`
  const reason = `${text('node_type')} ${message}`.trim().slice(0, 300)
  return { reason, tooLarge: /OutOfMemory|out of memory|Allocation on device/i.test(message) }
}

async function scalePictures(
  files: TaskRequest['files'],
  { maxArea }: Workflow,
  smaller: boolean,
): Promise<{ label: string; bytes: Uint8Array }[]> {
  const picture = files.find(({ label }) => label === 'picture')
  const area = picture ? picture.width * picture.height : 0
  const wanted = Math.min(area, maxArea ?? area) * (smaller ? 0.5 : 1)
  if (!picture || wanted === area) return [...files]
  const scale = Math.sqrt(wanted / area)
  // Latents have one value for eight pixels.
  const side = (pixels: number) => Math.max(8, 8 * Math.round((pixels * scale) / 8))
  return Promise.all(
    files.map(async ({ label, bytes }) => {
      if (label === 'reference') return { label, bytes }
      const resized = sharp(bytes).resize(side(picture.width), side(picture.height), { fit: 'fill' })
      return { label, bytes: await resized.png({ compressionLevel: 3 }).toBuffer() }
    }),
  )
}

/** For prompts that this process sent or polled last. */
function createWatches() {
  const watched = new Map<string, { close(): void; progress: number; reportedAt: number; since: number }>()
  const listeners = new Map<string, (change: JobChange) => void>()
  const stop = (id: string) => {
    watched.get(id)?.close()
    watched.delete(id)
  }
  return {
    start(provider: string, { client }: ServerState, id: string) {
      const now = performance.now()
      if (watched.has(id)) return
      // Other processes saw the end of these.
      for (const [old, { since }] of watched) if (now - since > 1000 * timeLimitSeconds) stop(old)
      const watch = { close: () => {}, progress: 0, reportedAt: 0, since: now }
      watched.set(id, watch)
      const tell = () => {
        watch.reportedAt = performance.now()
        listeners.get(provider)?.({ externalId: id })
      }
      watch.close = client.listen(id, ({ type, data }) => {
        if (data?.prompt_id !== undefined && data.prompt_id !== id) return
        if (type === 'progress' && Number(data.max) > 0) {
          // Each node counts from its own beginning.
          watch.progress = Math.max(watch.progress, Math.min(0.95, Number(data.value) / Number(data.max)))
          if (performance.now() - watch.reportedAt > eventIntervalMs) tell()
        } else if (/^execution_(success|error|interrupted)$/.test(type) || (type === 'executing' && !data?.node)) {
          tell()
        }
      }).close
    },
    stop,
    progressOf: (id: string) => watched.get(id)?.progress,
    listen: (provider: string, listener: (change: JobChange) => void) => void listeners.set(provider, listener),
    close() {
      for (const id of [...watched.keys()]) stop(id)
    },
  }
}
type Watches = ReturnType<typeof createWatches>
