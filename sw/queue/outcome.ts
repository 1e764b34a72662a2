import type { UploadItem } from './item.ts'
import type { Change } from './store.ts'
import type { TokenFacts } from './token.ts'
import type { UploadAnswer } from './transport.ts'

const firstPause = 2000
const longestPause = 5 * 60_000

/** How long to wait before another attempt: doubling from 2 s to 5 min, spread by half so that a returning server is not stormed. */
export function pauseAfter(attempts: number, random: () => number): number {
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20))
  return pause * (0.75 + random() / 2)
}

/** Milliseconds that Retry-After (RFC 9110 §10.2.3: seconds or a date) asks for; null when it says nothing usable. */
export function retryAfterPause(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header) * 1000, 24 * 3_600_000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), 24 * 3_600_000)
}

interface ErrorBody {
  code?: string
  msg?: string
  details?: Record<string, unknown>
}

const errorBody = (body: unknown): ErrorBody => (typeof body === 'object' && body !== null ? (body as ErrorBody) : {})

/** Statuses that say "not now" rather than "no". */
const passes = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

export interface Circumstances {
  now: number
  random: () => number
  token: TokenFacts
}

/** The item after an attempt that got no answer; `complete` says that the whole body had left the device. */
export function afterSilence(item: UploadItem, complete: boolean, { now, random }: Circumstances): Change {
  return {
    ...item,
    state: item.state === 'cancelling' ? 'cancelling' : 'waiting',
    lastStatus: 0,
    nextAt: now + pauseAfter(item.attempts, random),
    uncertain: item.uncertain || complete,
  }
}

/** The item after an answer. */
export function afterAnswer(item: UploadItem, answer: UploadAnswer, { now, random, token }: Circumstances): Change {
  const { status } = answer
  const error = errorBody(answer.body)
  const known = {
    ...item,
    lastStatus: status,
    message: typeof error.msg === 'string' ? error.msg : null,
    code: typeof error.code === 'string' ? error.code : null,
  }
  if (status === 200 || status === 201) {
    const { id } = errorBody(answer.body) as { id?: unknown }
    if (typeof id === 'string') return { ...known, state: 'sent', generationId: id, uncertain: false }
  }
  if (passes(status) || status < 400) {
    const pause = retryAfterPause(answer.retryAfter, now) ?? pauseAfter(item.attempts, random)
    // A gateway may answer 502 or 504 although the server behind it took the upload; 425 and 429 are said before it is read.
    const uncertain = item.uncertain || (status !== 425 && status !== 429)
    return {
      ...known,
      state: item.state === 'cancelling' ? 'cancelling' : 'waiting',
      nextAt: now + pause,
      uncertain,
    }
  }
  if (status === 401) {
    const state = item.state === 'cancelling' ? 'cancelling' : 'sign_in'
    return { ...known, state, refusedSession: token.session }
  }
  if (item.state === 'cancelling') return 'delete'
  // From here on the server has said that there is no generation under this key.
  const certain = { ...known, uncertain: false }
  if (status === 402) return { ...certain, state: 'credits' }
  if (status === 409 && error.code === 'credits.price_changed') {
    const asked = Number(error.details?.credits)
    if (Number.isInteger(asked) && asked >= 0) return { ...certain, state: 'confirm', askedPrice: asked }
  }
  return { ...certain, state: 'refused' }
}
