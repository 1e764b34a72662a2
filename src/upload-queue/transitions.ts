import type { AccessToken } from '#shared/session.ts'
import { dayMs } from '#shared/time.ts'
import {
  type Change,
  filesOf,
  type JobKind,
  type NewFile,
  type QueuedFile,
  type UploadItem,
  withFiles,
} from './store.ts'
import type { ServerResponse } from './transport.ts'

/** Makes an upload due at once in any state. */
export function retried(item: UploadItem): Change {
  if (item.state === 'cancelling') return { ...item, nextAt: 0, refusedSession: null }
  if (item.state === 'sending' || item.state === 'sent' || item.state === 'confirm') return undefined
  if (filesOf(item).some(({ lost }) => lost)) return undefined
  return { ...item, state: 'waiting', nextAt: 0, message: null, code: null, refusedSession: null }
}

/** Accepts the server's current price only if it is the one shown. */
export const priceAccepted =
  (shown: number) =>
  (item: UploadItem): Change =>
    item.state === 'confirm' && item.askedPrice === shown
      ? { ...item, state: 'waiting', price: shown, askedPrice: null, nextAt: 0, message: null, code: null }
      : undefined

/**
 * Deletes an item that cannot have reached the server; any other becomes `cancelling` until its
 * fate is known.
 */
export function withCancellation(item: UploadItem): Change {
  if (item.state === 'sent' || item.state === 'cancelling') return undefined
  // Files alone create nothing, and a request is marked as uncertain before it leaves.
  if (!item.uncertain) return 'delete'
  return { ...item, state: 'cancelling', nextAt: 0, message: null, code: null }
}

export const dismissed = ({ state }: UploadItem): Change =>
  state === 'sent' || state === 'refused' ? 'delete' : undefined

const firstPause = 2000
const maxPause = 5 * 60_000

/** Doubles from 2 s to 5 min, with jitter so that a returning server is not overloaded. */
function pauseAfter(attempts: number, random: () => number): number {
  const pause = Math.min(maxPause, firstPause * 2 ** Math.min(attempts - 1, 20))
  return pause * (0.75 + random() / 2)
}

/** Milliseconds; a server may ask for more. */
const longestPause = dayMs

/** Milliseconds (RFC 9110 §10.2.3: seconds or a date); null if unusable. */
function retryAfterPause(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header) * 1000, longestPause)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), longestPause)
}

function errorBody(body: unknown): { code?: string; msg?: string; details?: Record<string, unknown> } {
  return typeof body === 'object' && body !== null ? body : {}
}

const isTemporary = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

export interface Circumstances {
  now: number
  random: () => number
  token: AccessToken
  /** An earlier attempt left open whether the request had arrived. */
  uncertainBefore: boolean
}

export function afterNetworkError(item: UploadItem, { now, random }: Circumstances): Change {
  return { ...item, state: retryState(item), lastStatus: 0, nextAt: now + pauseAfter(item.attempts, random) }
}

/** Other states need the user or a new session. */
export const isPending = (item: UploadItem) => item.state === 'waiting' || item.state === 'cancelling'

/** With `eager`, also an item that waits only for the network. */
export function isDue(item: UploadItem, token: AccessToken, now: number, eager: boolean): boolean {
  if (item.refusedSession === token.session) return false
  if (item.state === 'sign_in') return true
  // No pause is longer than a day: the clock was set back meanwhile.
  const isOver = item.nextAt <= now || item.nextAt > now + longestPause
  return isPending(item) && (isOver || (eager && item.lastStatus === 0))
}

/** The queue never waits for the network with files that the device cannot send. */
export function afterFileLoss(item: UploadItem, indexes: readonly number[]): Change {
  const isLost = ({ index, arrived }: QueuedFile) => !arrived && indexes.includes(index)
  if (item.state === 'sent' || item.state === 'refused' || !filesOf(item).some(isLost)) return undefined
  // No generation exists: its request follows its files.
  if (item.state === 'cancelling') return 'delete'
  const known = withFiles(item, (file) => (isLost(file) ? { ...file, uploadUrl: null, lost: true } : file))
  return { ...known, state: 'unreadable', message: null, code: null, lastStatus: null }
}

/** Puts a newly chosen file in the place of a lost one; the item waits for the others. */
export const withReplacement =
  (index: number, { name, blob, size = null }: Pick<NewFile, 'name' | 'blob' | 'size'>) =>
  (item: UploadItem): Change => {
    if (item.state !== 'unreadable') return undefined
    const replaced = withFiles(item, (file) =>
      file.index === index ? { ...file, name, bytes: blob.size, size, uploadUrl: null, lost: false } : file,
    )
    return filesOf(replaced).some(({ lost }) => lost) ? replaced : retried(replaced)
  }

const retryState = (item: UploadItem) => (item.state === 'cancelling' ? 'cancelling' : 'waiting')

function withResponse(item: UploadItem, { status, body }: ServerResponse): UploadItem {
  const { msg, code } = errorBody(body)
  return {
    ...item,
    lastStatus: status,
    message: typeof msg === 'string' ? msg : null,
    code: typeof code === 'string' ? code : null,
  }
}

function retryLater(item: UploadItem, { retryAfter }: ServerResponse, { now, random }: Circumstances): UploadItem {
  return {
    ...item,
    state: retryState(item),
    nextAt: now + (retryAfterPause(retryAfter, now) ?? pauseAfter(item.attempts, random)),
  }
}

/** No generation can exist. */
export function afterFileRefusal(
  item: UploadItem,
  index: number,
  response: ServerResponse,
  now: Circumstances,
): Change {
  const { status } = response
  const known = withResponse(item, response)
  if (status === 401) return { ...known, state: signInState(item), refusedSession: now.token.session }
  // The upload is gone on the server and starts again.
  if (status === 404 || status === 410)
    return retryLater(
      withFiles(known, (file) => resetFile(file, index)),
      response,
      now,
    )
  if (isTemporary(status) || status < 400) return retryLater(known, response, now)
  if (item.state === 'cancelling') return 'delete'
  return { ...known, state: 'refused' }
}

const signInState = (item: UploadItem) => (item.state === 'cancelling' ? 'cancelling' : 'sign_in')

function resetFile(file: QueuedFile, index?: number): QueuedFile {
  return index === undefined || file.index === index ? { ...file, uploadUrl: null, arrived: false, output: null } : file
}

export function afterResponse(item: UploadItem, response: ServerResponse, circumstances: Circumstances): Change {
  const { status } = response
  const error = errorBody(response.body)
  const known = withResponse(item, response)
  const id = endpointOf(item).resultId(response, item)
  if (id !== undefined) return { ...known, state: 'sent', generationId: id, uncertain: false }
  if (isTemporary(status) || status < 400) {
    // A gateway may answer 502 or 504 although the server behind it accepted the request; 425 and
    // 429 are sent before it is read.
    const uncertain = circumstances.uncertainBefore || (status !== 425 && status !== 429)
    return retryLater({ ...known, uncertain }, response, circumstances)
  }
  if (status === 401) {
    const uncertain = circumstances.uncertainBefore
    return { ...known, state: signInState(item), refusedSession: circumstances.token.session, uncertain }
  }
  if (item.state === 'cancelling') return 'delete'
  // The server has confirmed that there is no generation under this key.
  const certain = { ...known, uncertain: false }
  // The server lost a file or has it incompletely: files are sent again, then the request.
  if (error.code === 'upload.not_found' || error.code === 'upload.not_ready' || error.code === 'file.not_found') {
    return retryLater(
      withFiles(certain, (file) => resetFile(file)),
      response,
      circumstances,
    )
  }
  if (status === 402) return { ...certain, state: 'credits' }
  if (status === 409 && error.code === 'credits.price_changed') {
    const asked = Number(error.details?.credits)
    if (Number.isInteger(asked) && asked >= 0) return { ...certain, state: 'confirm', askedPrice: asked }
  }
  return { ...certain, state: 'refused' }
}

type FileRefs = Record<string, unknown>

interface JobEndpoint {
  url: (item: UploadItem) => string
  body: (item: UploadItem, files: FileRefs) => unknown
  /** Id of the created or changed object; undefined without one. */
  resultId: (response: ServerResponse, item: UploadItem) => string | undefined
  cancelUrl?: (resultId: string) => string
}

function createdId({ status, body }: ServerResponse): string | undefined {
  if (status !== 200 && status !== 201) return undefined
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

const endpoints: Record<JobKind, JobEndpoint> = {
  generation: {
    url: () => '/api/generations',
    body: ({ tool, params, price }, inputs) => ({ tool, params, inputs, expected_credits: price }),
    resultId: createdId,
    cancelUrl: (id) => `/api/generations/${id}/cancel`,
  },
  custom_edit: {
    url: () => '/api/custom_edits',
    body: ({ params }, files) => ({ ...params, ...files }),
    resultId: createdId,
    cancelUrl: (id) => `/api/custom_edits/${id}/cancel`,
  },
  custom_edit_message: {
    url: ({ params }) => `/api/custom_edits/${params.request}/${params.verb}`,
    body: ({ params: { text } }, files) => ({ text, ...files }),
    resultId: ({ status }, { params }) => (status === 204 ? String(params.request) : undefined),
  },
  custom_edit_results: {
    url: ({ params }) => `/api/admin/custom_edits/${params.request}/results`,
    body: (_, files) => files,
    resultId: ({ status }, { params }) => (status === 204 ? String(params.request) : undefined),
  },
}

export const endpointOf = ({ kind }: UploadItem): JobEndpoint => endpoints[kind]
