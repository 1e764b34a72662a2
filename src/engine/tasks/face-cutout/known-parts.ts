import { type Similarity, transform } from '#engine/image/geometry.ts'
import type { Plane } from '#engine/image/picture.ts'
import type { FaceLabels } from '#engine/task-work.ts'

/** CelebAMask-HQ's classes of what is behind a head, and of neck, necklace and clothes. */
const classes = { behind: 0, others: [14, 15, 16] }
export const unknown = -1

/**
 * For each pixel 1 where a network that names the parts of a face sees the head, 0 where it sees
 * something else that people have, and {@link unknown} where it sees none of both: what is behind
 * hair shows through it. `at` leads from the pixels to the labels'.
 */
export function knownParts(
  { width, height, data }: FaceLabels,
  at: Similarity,
  size: Pick<Plane, 'width' | 'height'>,
): Int8Array {
  const parts = new Int8Array(size.width * size.height).fill(unknown)
  for (let i = 0; i < parts.length; i++) {
    const { x, y } = transform(at, { x: (i % size.width) + 0.5, y: Math.floor(i / size.width) + 0.5 })
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    const label = data[Math.floor(y) * width + Math.floor(x)] as number
    if (label !== classes.behind) parts[i] = classes.others.includes(label) ? 0 : 1
  }
  return parts
}
