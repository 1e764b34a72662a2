import sharp from 'sharp'
import type { TaskName } from '#engine/task-types.ts'
import type { Json } from '#shared/schema.ts'
import { maxResultBytes, normalizeResult, WrongResult } from '../normalize-result.ts'
import {
  ContentRefused,
  type JobReport,
  NotSent,
  type Provider,
  Refused,
  ResultUnavailable,
  type TaskRequest,
} from '../provider.ts'
import { readLimited, TooLarge } from '../read-limited.ts'
import { type HostedService, isFlagged, ServiceError } from './hosted-service.ts'
import { type HostedModel, type HostedSettings, type ModelInput, outputAt } from './model.ts'

interface HostedOptions {
  settings(): Promise<HostedSettings>
  /** Webhook URL for a reference; undefined if the service cannot reach this server. */
  webhookOf(reference: string): string | undefined
  now: () => Date
}

/** Pixels of a sent picture. */
const maxPixels = 4_000_000
/** Seconds between polls; webhooks come earlier if available. */
const pollSeconds = 4
const maxRedirects = 3
const pictureParts: readonly string[] = ['picture', 'mask', 'matte', 'reference']

/** A hosted service as a provider of the tasks that admins have chosen models for. */
export function createHostedProvider(service: HostedService, { settings, webhookOf, now }: HostedOptions): Provider {
  const modelOf = async (task: TaskName): Promise<HostedModel> => {
    const found = (await settings()).models.find((model) => model.task === task)
    if (!found) throw new Error(`no model of ${service.id} is set for ${task}`)
    return found
  }
  return {
    id: service.id,
    remote: true,
    // The longest limit that admins can set.
    timeLimit: 1800,
    answerWait: webhookOf('') ? 120 : 0,
    async tasks() {
      const { enabled, models } = await settings()
      return enabled ? [...new Set(models.map(({ task }) => task))] : []
    },
    isBetter: () => true,
    async budget(task) {
      const { budgetDay: day, budgetMonth: month } = await settings()
      return { expected: (await modelOf(task)).price, day, month }
    },
    async submit({ task, reference, files, data }, signal) {
      const { target, input } = await modelOf(task)
      let given: Record<string, Json>
      try {
        given = await inputOf(service, input, { files, data }, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof ServiceError
          ? creationFailure(error)
          : new NotSent('the picture could not be sent', { cause: error })
      }
      try {
        return await service.create(target, given, webhookOf(reference), signal)
      } catch (error) {
        throw creationFailure(error)
      }
    },
    async poll(job, signal): Promise<JobReport> {
      const { target, output, price, timeLimit } = await modelOf(job.task)
      try {
        const state = await service.readState(target, job.externalId, signal)
        if (state.state === 'running') {
          if (!job.sentAt || now().getTime() - job.sentAt.getTime() < 1000 * timeLimit)
            return { ...state, pollAfterSeconds: pollSeconds }
          await service.cancel(target, job.externalId)
          return { state: 'failed', reason: `not done after ${timeLimit} s` }
        }
        if (state.state === 'unavailable') throw new ResultUnavailable(state)
        if (state.state !== 'done') return { state: state.state, reason: state.reason, cost: state.charged ? price : 0 }
        if (isFlagged(state.output, output))
          return { state: 'refused', reason: 'its result was flagged by its safety rules', cost: price }
        const address = outputAt(state.output, output)
        if (!address) return { state: 'failed', reason: `nothing at ${output || 'the output'}`, cost: price }
        const bytes = await download(service, address, signal)
        return { state: 'done', result: await normalizeResult(bytes, job), cost: price }
      } catch (error) {
        if (error instanceof TooLarge || error instanceof WrongResult)
          return { state: 'failed', reason: error.message, cost: price }
        if (error instanceof ServiceError && error.after) return { state: 'running', pollAfterSeconds: error.after }
        // The job existed before, so it has been paid for and is never sent again.
        if (error instanceof ServiceError && error.status === 404)
          return { state: 'failed', reason: 'it knows nothing of it any more', cost: price }
        throw error
      }
    },
    cancel: async ({ externalId, task }) => service.cancel((await modelOf(task)).target, externalId),
    async readWebhook(webhook) {
      return service.readWebhook(webhook)
    },
    async health() {
      const { enabled, models } = await settings()
      if (!enabled) return { ok: true, detail: 'switched off' }
      await service.check()
      return { ok: true, detail: [...new Set(models.map(({ target }) => target.split(':')[0]))].join('; ') }
    },
  }
}

/** Only a refusal or an early failure is certain; other errors leave open what happened. */
function creationFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.status >= 500 || error.status === 408) return error
  if (error.status === 429) return new NotSent(error.message, { cause: error, after: error.after })
  const Refusal = error.isContentRefusal ? ContentRefused : Refused
  return new Refusal(error.message, { cause: error })
}

async function inputOf(
  service: HostedService,
  input: HostedModel['input'],
  { files, data }: Pick<TaskRequest, 'files' | 'data'>,
  signal: AbortSignal,
): Promise<Record<string, Json>> {
  const picture = files.find(({ label }) => label === 'picture')
  const given: Record<string, Json> = {}
  for (const [field, spec] of Object.entries(input)) {
    const file = files.find(({ label }) => label === spec.from)
    if (file && picture) {
      const { bytes, contentType } = await encodeForUpload(file, spec.from === 'reference' ? file : picture, spec)
      given[field] = await service.upload(bytes, contentType, signal)
    } else if (spec.from === 'value') given[field] = spec.value ?? null
    else if (spec.from === 'prompt') {
      const words = String(data.prompt ?? '')
      given[field] = typeof spec.value === 'string' ? spec.value.replaceAll('{prompt}', () => words) : words
    } else if (!pictureParts.includes(spec.from) && data[spec.from] !== undefined)
      given[field] = data[spec.from] as Json
  }
  return given
}

/** A compact picture, a lossless mask of its size. */
async function encodeForUpload(
  { bytes, label }: TaskRequest['files'][number],
  { width, height }: { width: number; height: number },
  { inverted }: ModelInput,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)))
  let image = sharp(bytes).resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
  if (inverted) image = image.negate({ alpha: false })
  return label === 'picture' || label === 'reference'
    ? { bytes: await image.jpeg({ quality: 92 }).toBuffer(), contentType: 'image/jpeg' }
    : { bytes: await image.png().toBuffer(), contentType: 'image/png' }
}

/**
 * Stays on the service's own hosts. Throws {@link ResultUnavailable} if another try may succeed.
 */
async function download(service: HostedService, address: string, signal: AbortSignal): Promise<Uint8Array> {
  let url = URL.parse(address)
  for (let i = 0; i <= maxRedirects; i++) {
    if (!url || !service.isResult(url)) throw new WrongResult('its result lies at a foreign address')
    const limit = AbortSignal.any([AbortSignal.timeout(120_000), signal])
    try {
      const response = await fetch(url, { redirect: 'manual', signal: limit })
      if (response.ok) return await readLimited(response, maxResultBytes)
      await response.body?.cancel()
      if (response.status >= 400) throw new Error(`status ${response.status}`)
      url = URL.parse(response.headers.get('location') ?? '', url)
    } catch (cause) {
      signal.throwIfAborted()
      throw cause instanceof TooLarge ? cause : new ResultUnavailable({ cause })
    }
  }
  throw new WrongResult('its result is sent on too often')
}
