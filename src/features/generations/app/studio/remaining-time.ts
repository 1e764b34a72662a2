/** A run as far as it was seen: how far it was when, in milliseconds. */
export interface Sighting {
  progress: number
  at: number
}

/** Below these nobody needs to be told: seconds that were watched, seconds that are left. */
const least = { watched: 4, left: 8 }

/**
 * Seconds that a run will probably still take, in steps that do not jump about; null while that
 * cannot be told.
 */
export function remainingSeconds(first: Sighting, now: Sighting): number | null {
  const done = now.progress - first.progress
  const watched = (now.at - first.at) / 1000
  if (done < 0.02 || watched < least.watched) return null
  const left = ((1 - now.progress) * watched) / done
  if (left < least.left) return null
  return left < 60 ? Math.ceil(left / 5) * 5 : Math.ceil(left / 60) * 60
}
