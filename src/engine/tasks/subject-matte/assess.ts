import { countedQuantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { lumaOf } from '#engine/image/tones.ts'

interface Exposure {
  /** Share of the subject's pixels that are overexposed, 0 to 1. */
  burnt: number
  /** 90th percentile of the subject's brightness, 0 to 255. */
  bright: number
  /**
   * 99th percentile of the second difference, 0 to 255; even a soft photograph of a face has 20.
   */
  detail: number
}

export function assessSubject(picture: Picture, matte: Plane): Exposure {
  const { width, height } = picture
  const { data: luma } = lumaOf(picture)
  const counts: Counts = { subject: 0, burnt: 0, levels: new Uint32Array(256), changes: new Uint32Array(256) }
  for (let y = 1; y < height - 1; y++) countRow(luma, matte.data, y * width, width, counts)
  const { subject, burnt, levels, changes } = counts
  if (subject === 0) return { burnt: 0, bright: 255, detail: 255 }
  return { burnt: burnt / subject, bright: countedQuantile(levels, 0.9), detail: countedQuantile(changes, 0.99) }
}

interface Counts {
  subject: number
  burnt: number
  /** Histograms of brightness and of its second difference. */
  levels: Uint32Array
  changes: Uint32Array
}

function countRow(luma: Float32Array, matte: Float32Array, row: number, width: number, counts: Counts): void {
  const { levels, changes } = counts
  for (let i = row + 1; i < row + width - 1; i++) {
    if ((matte[i] as number) < 0.98) continue
    const level = luma[i] as number
    counts.subject++
    // Adding 0.5 and truncating rounds because the level is never negative.
    const rounded = (level + 0.5) | 0
    levels[rounded] = (levels[rounded] as number) + 1
    if (level > 250) counts.burnt++
    const across = Math.abs(2 * level - (luma[i - 1] as number) - (luma[i + 1] as number))
    const down = Math.abs(2 * level - (luma[i - width] as number) - (luma[i + width] as number))
    const change = Math.min(255, (Math.max(across, down) + 0.5) | 0)
    changes[change] = (changes[change] as number) + 1
  }
}

export const maxMatteUncertainty = 0.12

/** Share of the subject's area with partial alpha, 0 (all alpha is 0 or 1) to 1. */
export function matteUncertainty(matte: Plane): number {
  let area = 0
  let open = 0
  for (let i = 0; i < matte.data.length; i++) {
    const alpha = matte.data[i] as number
    area += alpha
    open += 4 * alpha * (1 - alpha)
  }
  return area > 0 ? open / area : 0
}
