import { AppError } from '#server/http/app-error.ts'
import { uploadLimits } from '../contract.ts'

/** Uploads that one process receives at once. */
const maxStreams = 400
const streams = new Map<string, number>()
let total = 0

/**
 * Lets somebody's upload stream in and returns how to leave. Beyond the process's limit only those are asked to come later who hold
 * more than their share: nobody can take the place of everybody.
 */
export function admitStream(userId: string, limit: number = maxStreams): () => void {
  const mine = streams.get(userId) ?? 0
  if (mine >= uploadLimits.streams) throw new AppError('upload.limit', { retryAfter: 5 })
  const share = Math.floor(limit / Math.max(1, streams.size + (mine === 0 ? 1 : 0)))
  if (total >= limit && mine >= share) throw new AppError('server.unavailable', { retryAfter: 5 })
  streams.set(userId, mine + 1)
  total += 1
  let left = false
  return () => {
    if (left) return
    left = true
    total -= 1
    const now = (streams.get(userId) ?? 1) - 1
    if (now > 0) streams.set(userId, now)
    else streams.delete(userId)
  }
}
