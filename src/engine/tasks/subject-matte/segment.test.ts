import { describe, expect, test } from 'vitest'
import { boundsOf, boxOverlap, clipBox, connectedRegions } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { minimumCut } from './graph-cut.ts'
import { fillHolesAndDropIslands, segment } from './segment.ts'

function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function square(size: number, inside: (x: number, y: number) => boolean): Picture {
  const next = seededNumbers(5)
  const data = new Uint8ClampedArray(size * size * 4)
  for (let i = 0; i < size * size; i++) {
    const colour = inside(i % size, Math.floor(i / size)) ? [190, 50, 60] : [50, 140, 70]
    for (let c = 0; c < 3; c++) data[4 * i + c] = colour[c]! + 30 * (next() - 0.5)
    data[4 * i + 3] = 255
  }
  return { width: size, height: size, data }
}

describe('the minimum cut', () => {
  test('has the minimum cost of all labellings of small grids', () => {
    const next = seededNumbers(3)
    const [width, height, count] = [4, 3, 12]
    const steps = [
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, 1],
    ] as const
    for (let round = 0; round < 60; round++) {
      const preference = Float32Array.from({ length: count }, () => Math.round((next() - 0.5) * 20))
      const link = () => Float32Array.from({ length: count }, () => Math.round(next() * 6))
      const links = [link(), link(), link(), link()] as const
      const cost = (label: (i: number) => number) => {
        let sum = 0
        for (let i = 0; i < count; i++) {
          if (preference[i]! > 0 !== (label(i) === 1)) sum += Math.abs(preference[i]!)
          steps.forEach(([dx, dy], d) => {
            const [x, y] = [(i % width) + dx, Math.floor(i / width) + dy]
            if (x >= 0 && x < width && y < height && label(i) !== label(y * width + x)) sum += links[d]![i]!
          })
        }
        return sum
      }
      let best = Infinity
      for (let code = 0; code < 2 ** count; code++)
        best = Math.min(
          best,
          cost((i) => (code >> i) & 1),
        )
      const labels = minimumCut(width, height, preference.slice(), links)
      expect(cost((i) => labels[i]!)).toBe(best)
    }
  })
})

describe('segmentation', () => {
  const inside = (x: number, y: number) => x >= 20 && x < 60 && y >= 25 && y < 70

  test('colours and edges complete a probability that covers only part of the object', () => {
    const picture = square(96, inside)
    const belief = createPlane(96, 96, 0.03)
    for (let y = 35; y < 50; y++) for (let x = 30; x < 50; x++) belief.data[y * 96 + x] = 0.99
    for (let y = 10; y < 80; y++) for (let x = 12; x < 70; x++) belief.data[y * 96 + x] ||= 0
    for (let y = 15; y < 78; y++) {
      for (let x = 14; x < 66; x++) if (belief.data[y * 96 + x]! < 0.5) belief.data[y * 96 + x] = 0.4
    }
    const labels = segment(picture, belief)
    let wrong = 0
    for (let i = 0; i < labels.data.length; i++) {
      if ((labels.data[i] === 1) !== inside(i % 96, Math.floor(i / 96))) wrong++
    }
    expect(wrong).toBeLessThan(40)
  })

  test('tidying fills small holes and drops small islands only', () => {
    const labels = createPlane(40, 40)
    for (let y = 5; y < 35; y++) for (let x = 5; x < 30; x++) labels.data[y * 40 + x] = 1
    labels.data[10 * 40 + 10] = 0
    labels.data[2 * 40 + 37] = 1
    for (let y = 20; y < 30; y++) for (let x = 12; x < 24; x++) labels.data[y * 40 + x] = 0
    fillHolesAndDropIslands(labels, 0.02, 0.02)
    expect([labels.data[410], labels.data[117], labels.data[25 * 40 + 15]]).toEqual([1, 0, 0])
  })
})

describe('geometry', () => {
  test('boxes are clipped to the picture, and a box outside is undefined', () => {
    expect(clipBox({ x: -5, y: 10, width: 20, height: 100 }, { width: 50, height: 40 })).toEqual({
      x: 0,
      y: 10,
      width: 15,
      height: 30,
    })
    expect(clipBox({ x: 60, y: 0, width: 5, height: 5 }, { width: 50, height: 40 })).toBeUndefined()
  })

  test('overlap is intersection over union', () => {
    const box = { x: 0, y: 0, width: 10, height: 10 }
    expect(boxOverlap(box, { x: 5, y: 0, width: 10, height: 10 })).toBeCloseTo(1 / 3)
    expect(boxOverlap(box, { x: 10, y: 0, width: 10, height: 10 })).toBe(0)
  })

  test('regions and bounds are found', () => {
    const plane = createPlane(8, 6)
    for (const i of [9, 10, 18, 29, 47]) plane.data[i] = 1
    const { regions } = connectedRegions(8, 6, (i) => plane.data[i] === 1)
    expect(regions.map(({ area, touchesBorder }) => [area, touchesBorder])).toEqual([
      [3, false],
      [1, false],
      [1, true],
    ])
    expect(boundsOf(plane, 0.5)).toEqual({ x: 1, y: 1, width: 7, height: 5 })
  })
})
