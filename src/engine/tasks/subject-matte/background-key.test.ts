import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { cutOut } from './foreground.ts'
import { refineMatte } from './refine.ts'

const side = 240
type Colour = readonly [number, number, number]
const hair: Colour = [52, 38, 30]
const skin: Colour = [206, 164, 140]
const cream: Colour = [232, 214, 178]

const random = (i: number): number => (Math.imul(i + 1, 0x9e3779b1) >>> 8) / 2 ** 24

/** True alpha of a head with fine strands, opaque out to their length where `solid` holds. */
function frayedHead(
  front: (x: number, y: number) => Colour,
  wall: (x: number, y: number) => Colour,
  solid: (x: number, y: number) => boolean = () => false,
) {
  const alpha = createPlane(side, side)
  const data = new Uint8ClampedArray(4 * side * side)
  const mask = createPlane(side, side)
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      const [u, v] = [x - side / 2, y - side / 2]
      const away = Math.hypot(u, v)
      const strand = Math.min(1, Math.max(0, 2.2 * Math.sin(Math.atan2(v, u) * 48 + away * 0.15)))
      alpha.data[i] = away < 62 || (solid(u, v) && away < 74) ? 1 : away > 82 ? 0 : strand
      mask.data[i] = Math.min(1, Math.max(0, 0.5 + (75 - away) / 6))
      const share = alpha.data[i]!
      const [own, behind] = [front(u, v), wall(x / side, y / side)]
      const noise = 4 * (random(i) - 0.5)
      for (let c = 0; c < 3; c++) data[4 * i + c] = share * own[c]! + (1 - share) * behind[c]! + noise
      data[4 * i + 3] = 255
    }
  }
  return { picture: { width: side, height: side, data } satisfies Picture, alpha, mask }
}

const zone = { x: 20, y: 20, width: 200, height: 200 }
const options = { band: 0.012, hairBand: 0.05, hair: [zone] }

const face = (u: number, v: number): Colour => (Math.hypot(u, v) < 40 ? skin : hair)

function meanDifference(found: Matte, alpha: Plane, of: (i: number) => boolean): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < alpha.data.length; i++) {
    if (!of(i)) continue
    sum += Math.abs(found.data[i]! / 255 - alpha.data[i]!)
    count++
  }
  return sum / count
}

const distance = (i: number): number => Math.hypot((i % side) - side / 2, Math.floor(i / side) - side / 2)
const frayed = (i: number): boolean => distance(i) > 64 && distance(i) < 80

describe('hair in front of a plain wall', () => {
  test('keeps its strands and loses the wall between them', () => {
    const { picture, alpha, mask } = frayedHead(face, (x, y) => [
      cream[0] - 12 * x,
      cream[1] - 12 * y,
      cream[2] - 10 * x,
    ])
    const matte = refineMatte(picture, picture, mask, options)
    expect(meanDifference(matte, alpha, frayed)).toBeLessThan(0.12)
    expect(meanDifference(matte, alpha, (i) => distance(i) < 58)).toBeLessThan(0.002)
  })

  test('spills little of the wall onto another background', async () => {
    const { picture, alpha, mask } = frayedHead(face, () => cream)
    const host = { resize: async (wanted: Picture) => wanted } as Partial<EngineHost> as EngineHost
    const { data } = await cutOut(picture, refineMatte(picture, picture, mask, options), host)
    let spill = 0
    let count = 0
    for (let i = 0; i < alpha.data.length; i++) {
      if (!frayed(i)) continue
      count++
      for (let c = 0; c < 3; c++) spill += ((data[4 * i + 3]! / 255) * data[4 * i + c]! - alpha.data[i]! * hair[c]!) / 3
    }
    expect(Math.abs(spill / count)).toBeLessThan(12)
  })

  test('keeps skin and cloth opaque whose colour is between the hair’s and the wall’s', () => {
    const between: Colour = [142, 126, 104]
    const cloth = (u: number, v: number) => v > 30 && Math.abs(u) < 40
    const front = (u: number, v: number): Colour => (cloth(u, v) ? between : face(u, v))
    const { picture, alpha, mask } = frayedHead(front, () => cream, cloth)
    const matte = refineMatte(picture, picture, mask, options)
    const inside = (i: number) => distance(i) < 70 && cloth((i % side) - side / 2, Math.floor(i / side) - side / 2 - 4)
    expect(meanDifference(matte, alpha, inside)).toBeLessThan(0.005)
  })

  test('keeps the stripes of a striped wall out of the matte', () => {
    const stripes = (x: number): Colour => (Math.floor(40 * x) % 2 === 0 ? cream : [120, 84, 60])
    const { picture, alpha, mask } = frayedHead(face, stripes)
    const matte = refineMatte(picture, picture, mask, options)
    expect(meanDifference(matte, alpha, (i) => distance(i) > 82 && distance(i) < 90)).toBeLessThan(0.01)
  })
})
