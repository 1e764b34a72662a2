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
