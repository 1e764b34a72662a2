import { describe, expect, test } from 'vitest'
import type { Box } from '#shared/media.ts'
import {
  defaultCellView,
  layoutCounts,
  layoutTemplates,
  orientCells,
  pageSize,
  placeCells,
  templateFor,
  visiblePart,
} from './index.ts'
import { pageShapes } from './page.ts'

const all = layoutCounts.flatMap((count) => layoutTemplates[count].map((template) => ({ count, template })))
const pages = (Object.keys(pageShapes) as (keyof typeof pageShapes)[]).map((shape) => pageSize(shape))

describe('templates', () => {
  test.each(layoutCounts)('there are at least five different templates for %i pictures', (count) => {
    const templates = layoutTemplates[count]
    expect(templates.length).toBeGreaterThanOrEqual(5)
    expect(new Set(templates.map(({ cells }) => JSON.stringify(cells))).size).toBe(templates.length)
  })

  test.each(all)(
    '$template.id has a cell for each picture, and its cells cover the page once',
    ({ count, template }) => {
      expect(template.cells).toHaveLength(count)
      const coverings = Array.from({ length: 24 * 24 }, (_, i) => {
        const [x, y] = [((i % 24) + 0.5) / 24, (Math.floor(i / 24) + 0.5) / 24]
        const inside = ({ x: left, y: top, width, height }: Box) =>
          x > left && x < left + width && y > top && y < top + height
        return template.cells.filter(inside).length
      })
      expect(new Set(coverings)).toEqual(new Set([1]))
    },
  )
})

describe('pages', () => {
  test('paper has its size in millimetres at 300 dots per inch', () => {
    expect(pageSize('a4')).toEqual({ width: 2480, height: 3508 })
    expect(pageSize('9:16')).toEqual({ width: 1152, height: 2048 })
  })

  test('cells never overlap, keep the gap within a pixel, and stay on the page at every size', () => {
    for (const { template } of all) {
      for (const page of [...pages, { width: 361, height: 487 }]) {
        for (const gap of [0, 0.013, 0.05]) {
          const cells = placeCells(template, page, gap)
          const space = gap * Math.min(page.width, page.height)
          for (const [n, a] of cells.entries()) {
            expect(a.x).toBeGreaterThanOrEqual(Math.floor(space))
            expect(a.x + a.width).toBeLessThanOrEqual(page.width - Math.floor(space))
            expect(a.y + a.height).toBeLessThanOrEqual(page.height - Math.floor(space))
            for (const b of cells.slice(n + 1)) {
              const across = Math.max(a.x, b.x) - Math.min(a.x + a.width, b.x + b.width)
              const down = Math.max(a.y, b.y) - Math.min(a.y + a.height, b.y + b.height)
              expect(Math.max(across, down)).toBeGreaterThanOrEqual(space - 1.001)
            }
          }
        }
      }
    }
  })

  test('a grid has as many rows as suits the page, in reading order', () => {
    const grid = templateFor(8, 'grid')
    const rowsOf = (shape: keyof typeof pageShapes, turned = false) =>
      new Set(orientCells(grid, pageSize(shape, turned)).map(({ y }) => y)).size
    expect([rowsOf('9:16'), rowsOf('a4'), rowsOf('3:2'), rowsOf('9:16', true)]).toEqual([4, 4, 2, 2])
    const [first, second, third] = placeCells(grid, pageSize('9:16'), 0.02)
    expect([second!.y === first!.y, second!.x > first!.x, third!.y > first!.y, third!.x === first!.x]).toEqual(
      new Array(4).fill(true),
    )
  })

  test('no plain grid has slivers on any page', () => {
    for (const count of [4, 6, 8] as const) {
      for (const page of pages) {
        for (const { width, height } of placeCells(templateFor(count, 'grid'), page, 0.02)) {
          expect(Math.min(width / height, height / width)).toBeGreaterThan(0.45)
        }
      }
    }
  })

  test('a small preview matches the finished page within a pixel', () => {
    const template = templateFor(7, 'hero-centre')
    const large = placeCells(template, { width: 2048, height: 2560 }, 0.02)
    const small = placeCells(template, { width: 256, height: 320 }, 0.02)
    for (const [n, cell] of small.entries()) {
      for (const key of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs(cell[key] - large[n]![key] / 8)).toBeLessThanOrEqual(1.13)
      }
    }
  })
})

describe('crops', () => {
  const picture = { width: 1200, height: 800 }

  test('a cell is always filled in its own proportions from inside the picture', () => {
    for (const cell of [
      { width: 300, height: 300 },
      { width: 900, height: 200 },
      { width: 100, height: 700 },
    ]) {
      for (const view of [
        { zoom: 1, x: 0, y: 0 },
        { zoom: 2.5, x: 1, y: 0.3 },
        { zoom: 9, x: 7, y: -2 },
      ]) {
        const part = visiblePart(picture, cell, view)
        expect(part.width / part.height).toBeCloseTo(cell.width / cell.height, 6)
        expect(Math.min(part.x, part.y)).toBeGreaterThanOrEqual(0)
        expect(part.x + part.width).toBeLessThanOrEqual(picture.width + 1e-6)
        expect(part.y + part.height).toBeLessThanOrEqual(picture.height + 1e-6)
      }
    }
  })

  test.each([
    ['on the left', [{ x: 60, y: 100, width: 160, height: 200 }]],
    ['at the right edge', [{ x: 1000, y: 500, width: 180, height: 220 }]],
    [
      'of two people who fit',
      [
        { x: 300, y: 100, width: 160, height: 200 },
        { x: 600, y: 150, width: 150, height: 180 },
      ],
    ],
  ])('faces %s are in view', (_, faces) => {
    const cell = { width: 400, height: 500 }
    const part = visiblePart(picture, cell, defaultCellView(picture, cell, faces))
    for (const face of faces) {
      expect(face.x).toBeGreaterThanOrEqual(part.x - 1e-6)
      expect(face.y).toBeGreaterThanOrEqual(part.y - 1e-6)
      expect(face.x + face.width).toBeLessThanOrEqual(part.x + part.width + 1e-6)
      expect(face.y + face.height).toBeLessThanOrEqual(part.y + part.height + 1e-6)
    }
  })

  test('the largest face is in view if people are too far apart', () => {
    const faces = [
      { x: 950, y: 200, width: 200, height: 240 },
      { x: 20, y: 200, width: 150, height: 180 },
    ]
    const cell = { width: 200, height: 400 }
    const part = visiblePart(picture, cell, defaultCellView(picture, cell, faces))
    expect(part.x).toBeLessThanOrEqual(950)
    expect(part.x + part.width).toBeGreaterThanOrEqual(1150)
  })

  test('no face of a group is cut by the edge of its cell if another crop avoids it', () => {
    const row = { y: 300, width: 120, height: 150 }
    const faces = [130, 330, 530, 730, 930].map((x) => ({ x, ...row }))
    for (const width of [300, 420, 500, 700]) {
      const cell = { width, height: 800 }
      const part = visiblePart(picture, cell, defaultCellView(picture, cell, faces))
      for (const { x, width: wide } of faces) {
        const isInside = x >= part.x && x + wide <= part.x + part.width
        const isOutside = x + wide <= part.x || x >= part.x + part.width
        expect([width, isInside || isOutside]).toEqual([width, true])
      }
      expect(faces.some(({ x }) => x >= part.x && x + 120 <= part.x + part.width)).toBe(true)
    }
  })

  test('a picture is enlarged where covering its cell would cut a face of a group at every place', () => {
    const faces = [
      { x: 500, y: 300, width: 240, height: 260 },
      { x: 780, y: 300, width: 280, height: 200 },
      { x: 250, y: 300, width: 200, height: 200 },
    ]
    const view = defaultCellView(picture, { width: 400, height: 400 }, faces)
    const part = visiblePart(picture, { width: 400, height: 400 }, view)
    const inside = faces.filter(({ x, width }) => x >= part.x && x + width <= part.x + part.width)
    const outside = faces.filter(({ x, width }) => x + width <= part.x || x >= part.x + part.width)
    expect(inside).toContain(faces[0])
    expect([inside.length + outside.length, view.zoom > 1]).toEqual([3, true])
    expect(defaultCellView(picture, { width: 400, height: 400 }, faces.slice(0, 2)).zoom).toBe(1)
  })

  test('two neighbours are left out if showing one would cut the other', () => {
    const faces = [
      { x: 500, y: 300, width: 140, height: 170 },
      { x: 650, y: 310, width: 130, height: 150 },
      { x: 760, y: 100, width: 120, height: 150 },
    ]
    const cell = { width: 300, height: 800 }
    const part = visiblePart(picture, cell, defaultCellView(picture, cell, faces))
    expect(part.x).toBeLessThanOrEqual(350)
    expect(part.x + part.width).toBeGreaterThanOrEqual(640)
  })

  test('without faces a tall picture shows the area slightly above its middle', () => {
    const part = visiblePart(
      { width: 600, height: 1200 },
      { width: 300, height: 300 },
      defaultCellView({ width: 600, height: 1200 }, { width: 300, height: 300 }, []),
    )
    expect(part.y).toBeCloseTo(240, 6)
  })
})
