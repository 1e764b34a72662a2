import type { Clip } from './clips.ts'
import type { ReadClip } from './read-clip.ts'

/**
 * Mean error of alpha (0 to 1), and its mean change between frames where the truth does not change.
 */
export async function compareVideoAlpha(
  clip: Clip,
  alphas: AsyncIterable<Uint8Array>,
): Promise<{ difference: number; flicker: number; worst: number }> {
  let [difference, worst, flicker, still, frames] = [0, 0, 0, 0, 0]
  let before: { found: Uint8Array; truth: Uint8Array } | undefined
  for await (const frame of alphas) {
    if (frames === clip.times.length) break
    const found = frame.slice()
    const truth = clip.alpha(frames)
    let sum = 0
    for (let i = 0; i < truth.length; i++) {
      sum += Math.abs((found[i] as number) - (truth[i] as number)) / 255
      if (before && before.truth[i] === truth[i]) {
        flicker += Math.abs((found[i] as number) - (before.found[i] as number)) / 255
        still++
      }
    }
    difference += sum / truth.length
    worst = Math.max(worst, sum / truth.length)
    before = { found, truth }
    frames++
  }
  return { difference: difference / frames, flicker: flicker / still, worst }
}

/** Seconds of the frame that suddenly brightens. */
export async function flashStart(clip: ReadClip): Promise<number | undefined> {
  const alphas = clip.alphas()
  let before: { frame: Uint8Array; alpha: Uint8Array } | undefined
  let index = 0
  for await (const frame of clip.frames()) {
    const alpha = ((await alphas.next()).value as Uint8Array).slice()
    let [rise, count] = [0, 0]
    for (let i = 0; before && i < alpha.length; i += 7) {
      if ((alpha[i] as number) < 250 || (before.alpha[i] as number) < 250) continue
      rise += (frame[i] as number) - (before.frame[i] as number)
      count++
    }
    if (count > 0 && rise / count > 8) return clip.times[index]
    before = { frame, alpha }
    index++
  }
  return undefined
}
