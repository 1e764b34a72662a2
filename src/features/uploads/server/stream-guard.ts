import { appError } from '#server/http/app-error.ts'
import { uploadLimits } from '../rules.ts'

/** Streams of one process. */
const maxStreams = 400
const streams = new Map<string, number>()
let total = 0

/**
 * `sender` is an account, or an address without one; returns the release. Beyond the limit only
 * senders with more than their share are refused, so none can occupy all slots.
 */
export function admitStream(sender: string, limit: number = maxStreams): () => void {
  const mine = streams.get(sender) ?? 0
  if (mine >= uploadLimits.streams) throw appError('upload.limit', { retryAfter: 5 })
  const share = Math.floor(limit / Math.max(1, streams.size + (mine === 0 ? 1 : 0)))
  if (total >= limit && mine >= share) throw appError('server.unavailable', { retryAfter: 5 })
  streams.set(sender, mine + 1)
  total += 1
  let left = false
  return () => {
    if (left) return
    left = true
    total -= 1
    const now = (streams.get(sender) ?? 1) - 1
    if (now > 0) streams.set(sender, now)
    else streams.delete(sender)
  }
}

const idleLimitMs = 30_000
/** A slower sender only holds a connection. */
const window = { milliseconds: 60_000, bytes: 60_000 }

/** Cuts a sender that stops or drips with `request.timeout`; the sender may resume. */
export async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  limits = { idle: idleLimitMs, window },
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  let [begun, bytes] = [performance.now(), 0]
  try {
    for (;;) {
      const { done, value } = await withinTime(source.next(), limits.idle)
      if (done) return
      yield value
      bytes += value.length
      if (performance.now() - begun < limits.window.milliseconds) continue
      if (bytes < limits.window.bytes) throw appError('request.timeout')
      begun = performance.now()
      bytes = 0
    }
  } finally {
    // Not awaited: a stalled source never ends its pending read.
    source.return?.()?.catch(() => {})
  }
}

async function withinTime<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(appError('request.timeout')), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
