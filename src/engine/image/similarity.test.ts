import { describe, expect, test } from 'vitest'
import { composeSimilarities, inverse, similarityTo, transform } from './geometry.ts'
import type { Picture } from './picture.ts'
import { resamplePicture } from './resample-similarity.ts'

function painted(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Picture {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let i = 0; i < width * height; i++) data.set(colour(i % width, Math.floor(i / width)), 4 * i)
  return { width, height, data }
}

const middle = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
]

describe('a similarity', () => {
  test('is undone by its inverse, and composing equals applying both', () => {
    const one = similarityTo({ x: 30, y: 40 }, { x: 5, y: 6 }, 0.3, 1.7)
    const two = similarityTo({ x: 1, y: 2 }, { x: -3, y: 9 }, -1.1, 0.4)
    const point = { x: 12.5, y: -7 }
    expect(transform(one, { x: 30, y: 40 })).toEqual({ x: expect.closeTo(5, 9), y: expect.closeTo(6, 9) })
    expect(transform(inverse(one), transform(one, point)).x).toBeCloseTo(12.5, 9)
    expect(transform(composeSimilarities(one, two), point).y).toBeCloseTo(transform(two, transform(one, point)).y, 9)
  })
})

describe('resampling', () => {
  const noise = painted(40, 30, (x, y) => [(x * 37 + y * 91) % 256, (x * y) % 256, (x * 11) % 256, 255])

  test('by the identity changes nothing, and a quarter turn only moves pixels', () => {
    const same = resamplePicture(noise, { scale: 1, angle: 0, x: 0, y: 0 }, 40, 30)
    expect(same.data).toEqual(noise.data)
    const turned = resamplePicture(noise, { scale: 1, angle: Math.PI / 2, x: 30, y: 0 }, 30, 40)
    expect(middle(turned, 29 - 4, 7)).toEqual(middle(noise, 7, 4))
  })

  test.each([1, 0.7, 0.45, 0.25, 0.1])('at scale %f keeps a uniform colour exactly', (scale) => {
    const plain = painted(120, 90, () => [219, 21, 20, 255])
    const { data } = resamplePicture(plain, { scale, angle: 0.2, x: 3, y: 1 }, 40, 30)
    for (let i = 0; i < data.length; i += 4) expect([...data.subarray(i, i + 4)]).toEqual([219, 21, 20, 255])
  })

  test.each([0.5, 0.3, 0.125])('at scale %f weighs every pixel: a fine chequerboard becomes grey', (scale) => {
    const board = painted(160, 160, (x, y) => ((x + y) % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]))
    const side = Math.round(160 * scale)
    const small = resamplePicture(board, { scale, angle: 0, x: 0, y: 0 }, side, side)
    const inner = middle(small, side >> 1, side >> 1)[0] as number
    expect(Math.abs(inner - 127)).toBeLessThan(12)
  })

  test('maps a spot to its position within a twentieth of a pixel', () => {
    const spot = painted(200, 200, (x, y) => {
      const away = Math.hypot(x + 0.5 - 71.3, y + 0.5 - 120.8)
      const value = 255 * Math.exp(-((away / 9) ** 2))
      return [value, value, value, 255]
    })
    for (const [angle, scale] of [
      [0.35, 1.4],
      [-0.8, 0.6],
      [0.1, 0.22],
    ] as const) {
      const move = similarityTo({ x: 100, y: 100 }, { x: 90, y: 80 }, angle, scale)
      const moved = resamplePicture(spot, move, 180, 160)
      let [sum, sumX, sumY] = [0, 0, 0]
      moved.data.forEach((value, k) => {
        if (k % 4 > 0) return
        const i = k / 4
        sum += value
        sumX += value * ((i % 180) + 0.5)
        sumY += value * (Math.floor(i / 180) + 0.5)
      })
      const wanted = transform(move, { x: 71.3, y: 120.8 })
      expect([sumX / sum, sumY / sum]).toEqual([expect.closeTo(wanted.x, 1), expect.closeTo(wanted.y, 1)])
    }
  })

  test('ignores the colour of transparent pixels', () => {
    const half = painted(60, 60, (x) => (x < 30 ? [250, 10, 10, 255] : [0, 255, 0, 0]))
    const { data } = resamplePicture(half, { scale: 0.8, angle: 0.3, x: 5, y: 0 }, 50, 50)
    for (let i = 0; i < data.length; i += 4) if ((data[i + 3] as number) > 8) expect(data[i + 1]).toBeLessThan(30)
  })

  test('of a cut-out keeps small spots everywhere', () => {
    const spots = painted(90, 90, (x, y) => (x % 31 === 17 && y % 37 === 20 ? [200, 100, 50, 255] : [0, 0, 0, 0]))
    const { data } = resamplePicture(spots, similarityTo({ x: 45, y: 45 }, { x: 90, y: 90 }, 0.4, 2), 180, 180)
    let cover = 0
    for (let i = 3; i < data.length; i += 4) cover += (data[i] as number) / 255
    // Six spots of one pixel, each enlarged to four times the area.
    expect(cover).toBeGreaterThan(0.9 * 6 * 4)
  })

  test('repeats the border outside the picture', () => {
    const picture = resamplePicture(noise, { scale: 1, angle: 0, x: 10, y: 0 }, 20, 20)
    expect(middle(picture, 2, 6)).toEqual(middle(noise, 0, 6))
  })
})
