import { expect, test } from 'vitest'
import { solidPicture } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { testHost } from '#tests/support/test-host.ts'
import { backgroundRemoval } from '../contract/definition.ts'
import { drawResult } from './draw-result.ts'

const thing = { left: 100, top: 40, right: 220, bottom: 193 }
const source = solidPicture(320, 200, '#c04030')

function matteOfThing() {
  const matte = { width: source.width, height: source.height, data: new Uint8Array(source.width * source.height) }
  for (let y = thing.top; y < thing.bottom; y++) {
    matte.data.fill(255, source.width * y + thing.left, source.width * y + thing.right)
  }
  return matte
}

const darkestIn = ({ data, width }: Picture, y: number) =>
  Math.max(...Array.from({ length: width }, (_, x) => data[4 * (y * width + x) + 3] as number))

test.each([
  ['a square frame', { shape: '1:1' }],
  ['a crop', { crop: true }],
  ['the photograph', {}],
] as const)('the shadow below a thing near the lower edge of the photograph fades out in %s', async (_, change) => {
  const params = { ...backgroundRemoval.defaults, shadow: true, ...change }
  const nothing = { own: undefined, depth: undefined }
  const { picture, placement } = await drawResult(source, matteOfThing(), nothing, params, testHost())
  const ground = thing.bottom + Math.round(placement?.y ?? 0)
  const below = Array.from({ length: picture.height - ground }, (_, i) => darkestIn(picture, ground + i))
  const steps = below.map((alpha, i) => (below[i - 1] ?? alpha) - alpha)
  expect(below[0]).toBeGreaterThan(50)
  expect(below.at(-1)).toBeLessThan(6)
  expect(Math.max(...steps)).toBeLessThan(40)
})
