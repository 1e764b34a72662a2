import { expect, test } from 'vitest'
import { frameSubject } from './frame-subject.ts'

const size = { width: 400, height: 400 }

/** Opaque where `isInside`. */
function matteOf(isInside: (x: number, y: number) => boolean) {
  const data = Float32Array.from({ length: size.width * size.height }, (_, index) =>
    isInside(index % size.width, Math.floor(index / size.width)) ? 1 : 0,
  )
  return { ...size, data }
}

/** Lacks the given share of its height. */
const disc = (missing: number) => {
  const radius = 120
  const middle = size.height - radius + 2 * radius * missing
  return matteOf((x, y) => (x + 0.5 - 200) ** 2 + (y + 0.5 - middle) ** 2 < radius ** 2)
}

/** Space above the subject and below the photograph's lower edge. */
function spaces(matte: ReturnType<typeof matteOf>) {
  const { y, height } = frameSubject(matte, { ratio: 1, margin: 0.1 })!
  const top = matte.data.findIndex((alpha) => alpha > 0) / size.width
  return { above: Math.floor(top) - y, below: y + height - size.height }
}

test('a subject that is cut off stays on the lower edge, and one that only touches it is centred', () => {
  const touching = spaces(disc(0.01))
  expect(touching.above).toBeGreaterThan(5)
  expect(Math.abs(touching.above - touching.below)).toBeLessThanOrEqual(2)
  expect(spaces(disc(0.1)).below).toBe(0)
  expect(spaces(matteOf((x, y) => x > 120 && x < 280 && y > 160)).below).toBe(0)
})
