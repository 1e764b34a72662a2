import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { whiteNoise } from '#engine/image/random.ts'
import { detectStrands } from './lines.ts'

const [width, height] = [120, 120]

function found(lightness: (x: number, y: number) => number, onFace = false): number {
  const luma = createPlane(width, height)
  for (let i = 0; i < luma.data.length; i++) luma.data[i] = lightness(i % width, Math.floor(i / width))
  const none = createPlane(width, height)
  const { data } = detectStrands({
    tones: { luma, blue: none, red: none },
    face: createPlane(width, height, onFace ? 1 : 0),
    unit: 1,
  })
  return data.reduce((sum, value) => sum + value, 0) / data.length
}

const whiteHair = (x: number, y: number) => 0.85 + 0.04 * Math.sin((x + 0.4 * y) / 1.6)
const noise = whiteNoise(width, height, 3)

test('white hair has strands', () => {
  expect(found(whiteHair)).toBeGreaterThan(0.1)
})

test.each([
  ['even white', () => 0.85, false],
  ['grain of the same contrast', (x: number, y: number) => 0.85 + 0.04 * (noise.data[y * width + x] as number), false],
  ['a face', whiteHair, true],
])('%s has hardly any strands', (_, lightness, onFace) => {
  expect(found(lightness, onFace)).toBeLessThan(0.02)
})
