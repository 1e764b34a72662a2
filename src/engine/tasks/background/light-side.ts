import type { Picture, Plane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { lumaAt } from '#engine/image/tones.ts'

/**
 * Direction of a subject's light, −1 (left) to 1 (right), from a picture and its matte, both small.
 * Near its outline a subject turns to the side, so brightness is fitted there against the slope of
 * the blurred matte (light from occluding contours, Johnson & Farid 2005).
 */
export function lightDirection({ data, width, height }: Picture, matte: Plane): number {
  const reach = Math.max(2, Math.round(0.05 * Math.max(width, height)))
  const round = feather(matte, reach)
  let [count, sumN, sumL, sumNN, sumNL, sumLL] = [0, 0, 0, 0, 0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      if ((matte.data[i] as number) < 0.95) continue
      const normal = ((round.data[i - 1] as number) - (round.data[i + 1] as number)) * reach
      const luma = lumaAt(data, i) / 255
      count++
      sumN += normal
      sumL += luma
      sumNN += normal * normal
      sumNL += normal * luma
      sumLL += luma * luma
    }
  }
  if (count < 50) return 0
  const cross = sumNL - (sumN * sumL) / count
  const spread = Math.sqrt(Math.max(1e-9, (sumNN - sumN ** 2 / count) * (sumLL - sumL ** 2 / count)))
  return Math.min(1, Math.max(-1, (2.5 * cross) / spread))
}
