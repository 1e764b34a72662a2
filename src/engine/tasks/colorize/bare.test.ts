import { expect, it } from 'vitest'
import { createPlane } from '#engine/image/plane.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { bareSkin } from './bare.ts'
import type { Face } from './faces.ts'

const [width, height] = [120, 200]

/**
 * A face over a darker shirt from which an arm comes out at each side; the right one, like the
 * shirt, is of woven cloth.
 */
function somebody() {
  const [lightness, inside] = [createPlane(width, height), createPlane(width, height)]
  const person = createPlane(width, height, 1)
  for (let i = 0; i < lightness.data.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const weave = 0.08 * ((x + y) % 3)
    const arm = y > 110 && Math.abs(x - 59.5) > 35
    const bare = y < 60 || (arm && x < 60)
    const grain = 0.01 * Math.sin(12.9898 * x + 78.233 * y)
    lightness.data[i] = grain + (bare ? 0.6 + 0.0005 * x : (arm ? 0.55 : 0.3) + weave)
    if (y >= 10 && y < 50 && Math.abs(x - 59.5) < 16) inside.data[i] = 1
  }
  const [centre, top, bottom, wide, tall] = [60, 10, 50, 32, 40]
  const levels = new Float32Array(41).fill(1, 23, 27)
  const face: Face = { mesh: [], inside, centre, top, bottom, wide, tall, level: 0.63, shade: 0.6, levels }
  const chance = bareSkin(lightness, roughness(lightness, 2), person, [face])
  return (x: number, y: number) => chance.data[y * width + x] as number
}

it('knows the neck below a face', () => {
  expect(somebody()(60, 56)).toBeGreaterThan(0.7)
})

it('takes woven cloth for cloth, even where it is as light as skin', () => {
  const chance = somebody()
  expect(chance(60, 130)).toBeLessThan(0.2)
  expect(chance(110, 160)).toBeLessThan(0.2)
})

it('finds an arm below a sleeve far likelier bare than cloth, by its lightness and smoothness', () => {
  const chance = somebody()
  expect(chance(10, 160)).toBeGreaterThan(4 * chance(110, 160))
})
