import { expect, it } from 'vitest'
import { createPlane } from '#engine/image/plane.ts'
import { outlines } from '#engine/tasks/faces/regions.ts'
import { estimateColours } from './priors.ts'

const [width, height] = [120, 160]

/** Somebody with a smooth light face before a wall; the mesh has an oval only. */
function somebody() {
  const [lightness, person] = [createPlane(width, height, 0.5), createPlane(width, height)]
  const mesh = Array.from({ length: 478 }, () => [60, 50, 0] as const) as (readonly [number, number, number])[]
  for (const [k, point] of outlines.face.entries()) {
    const turn = (2 * Math.PI * k) / outlines.face.length
    mesh[point] = [60 + 20 * Math.sin(turn), 50 - 26 * Math.cos(turn), 0]
  }
  for (let i = 0; i < lightness.data.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    if (Math.hypot((x - 60) / 20, (y - 50) / 26) < 1) lightness.data[i] = 0.68 + 0.001 * (x - 60)
    if (Math.hypot((x - 60) / 26, (y - 46) / 34) < 1 || (y > 80 && Math.abs(x - 60) < 45)) person.data[i] = 1
  }
  const { a, b } = estimateColours({ lightness, person, faces: [mesh] })
  return (x: number, y: number) => ({ red: a.data[y * width + x] as number, yellow: b.data[y * width + x] as number })
}

it('gives a face the colour of skin', () => {
  const { red, yellow } = somebody()(60, 66)
  expect(red).toBeGreaterThan(8)
  expect(yellow).toBeGreaterThan(8)
  expect(Math.hypot(red, yellow)).toBeLessThan(45)
})

it('leaves a wall of which nobody can know the colour nearly grey', () => {
  const { red, yellow } = somebody()(8, 60)
  expect(Math.hypot(red, yellow)).toBeLessThan(10)
})
