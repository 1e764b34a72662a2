import type { Box } from '#shared/media.ts'

export const layoutCounts = [4, 5, 6, 7, 8] as const
export type LayoutCount = (typeof layoutCounts)[number]

/** Boxes are shares of the page, in picture order. */
export interface LayoutTemplate {
  /** Stable id, e.g. `5-hero-left`. */
  id: string
  cells: readonly Box[]
}

/** Each string is a row of equal squares; equal letters form a cell, A is the first picture's. */
const drawings: Record<LayoutCount, Record<string, readonly string[]>> = {
  4: {
    grid: ['AB', 'CD'],
    'hero-left': ['AAB', 'AAC', 'AAD'],
    'hero-top': ['AAA', 'AAA', 'BCD'],
    columns: ['ABCD'],
    stairs: ['AAB', 'CDD'],
    pinwheel: ['AAB', 'CDB', 'CDB'],
  },
  5: {
    'hero-left': ['AABC', 'AADE'],
    'hero-top': ['AAAA', 'AAAA', 'BCDE'],
    'two-three': ['AAABBB', 'CCDDEE'],
    pinwheel: ['AAB', 'CDB', 'CEE'],
    'hero-centre': ['BAAC', 'DAAE'],
    bands: ['AAB', 'CCC', 'DEE'],
  },
  6: {
    grid: ['ABC', 'DEF'],
    'grid-tall': ['AB', 'CD', 'EF'],
    'hero-left': ['AAB', 'AAC', 'DEF'],
    'hero-right': ['BAA', 'CAA', 'DEF'],
    'two-four': ['AABB', 'AABB', 'CDEF'],
    stairs: ['AAB', 'CDD', 'EEF'],
  },
  7: {
    'hero-centre': ['BCCD', 'BAAD', 'EAAF', 'EGGF'],
    'three-four': ['AAAABBBBCCCC', 'DDDEEEFFFGGG'],
    'hero-left': ['AABC', 'AADE', 'AAFG'],
    'hero-top': ['AAAAAA', 'AAAAAA', 'BBCCDD', 'EEFFGG'],
    'two-three-two': ['AAABBB', 'CCDDEE', 'FFFGGG'],
    corner: ['AABC', 'AADE', 'FFGG'],
  },
  8: {
    grid: ['ABCD', 'EFGH'],
    'grid-tall': ['AB', 'CD', 'EF', 'GH'],
    'hero-corner': ['AAAB', 'AAAC', 'AAAD', 'EFGH'],
    'two-heroes': ['AABB', 'AABB', 'CDEF', 'GGHH'],
    'three-two-three': ['AABBCC', 'DDDEEE', 'FFGGHH'],
    'hero-centre': ['BCCD', 'EAAF', 'EAAF', 'GGHH'],
  },
}

/** Templates by number of pictures, plainest first. */
export const layoutTemplates = Object.fromEntries(
  layoutCounts.map((count) => [
    count,
    Object.entries(drawings[count]).map(([name, rows]) => ({ id: `${count}-${name}`, cells: readCells(rows) })),
  ]),
) as unknown as Readonly<Record<LayoutCount, readonly LayoutTemplate[]>>

/** The template with a name such as `hero-left`, or the plainest if there is none. */
export function templateFor(count: LayoutCount, name: string): LayoutTemplate {
  const templates = layoutTemplates[count]
  return templates.find(({ id }) => id === `${count}-${name}`) ?? (templates[0] as LayoutTemplate)
}

function readCells(rows: readonly string[]): Box[] {
  const [columns, lines] = [(rows[0] as string).length, rows.length]
  const bounds = new Map<string, { left: number; right: number; top: number; bottom: number }>()
  rows.forEach((row, y) => {
    Array.from(row).forEach((letter, x) => {
      const known = bounds.get(letter) ?? { left: x, right: x, top: y, bottom: y }
      bounds.set(letter, { ...known, left: Math.min(known.left, x), right: Math.max(known.right, x), bottom: y })
    })
  })
  return [...bounds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { left, right, top, bottom }]) => ({
      x: left / columns,
      y: top / lines,
      width: (right + 1 - left) / columns,
      height: (bottom + 1 - top) / lines,
    }))
}
