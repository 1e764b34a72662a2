import type { Size } from '#engine/image/picture.ts'
import { paperSize } from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import { type Paper, type PassportRule, type PrintSheet, printSize } from '../contract/definition.ts'
import { findPreset, passportPresets } from '../contract/presets.ts'

/** Millimetres: the printer's white border, and the gap for scissors and cut marks. */
const margin = 4
const gap = 4
/** Distance from a photo's corner and length, in millimetres. */
export const cutMark = { away: 0.4, length: 2.4, grey: 150 }

/** In millimetres from the upper left corner. */
interface PlacedPhoto extends Box {
  /** Index of its size among the requested ones. */
  index: number
}

interface RuleCount {
  rule: PassportRule
  /** 0 fills the rest. */
  count: number
}

interface SheetPlan {
  /** True if the paper is turned because more photos fit. */
  turned: boolean
  /** Of the paper, as it is turned. */
  millimetres: Size
  photos: PlacedPhoto[]
}

/**
 * Places photos in rows, tallest first, on the orientation that takes more of them. Sizes with a
 * count come first; those with 0 share the rest. Photos that do not fit are left out.
 */
export function planSheet(paper: Paper, wanted: readonly RuleCount[]): SheetPlan {
  const sizes = wanted.map(({ rule, count }) => ({ ...printSize(rule), count }))
  const plans = [false, true].map((turned) => {
    const millimetres = paperSize(paper, turned) as Size
    return { turned, millimetres, photos: fillPaper(millimetres, sizes) }
  })
  const [upright, turned] = plans as [SheetPlan, SheetPlan]
  return turned.photos.length > upright.photos.length ? turned : upright
}

/** `this` is the photo's own rule; unknown presets get it as well. */
export const sheetRules = ({ photos }: PrintSheet, own: PassportRule, presets = passportPresets): RuleCount[] =>
  photos.map(({ preset, rule, count }) => ({
    rule: preset === 'this' ? own : (rule ?? findPreset(preset, presets)?.rule ?? own),
    count,
  }))

function fillPaper(paper: Size, wanted: readonly (Size & { count: number })[]): PlacedPhoto[] {
  const order = wanted
    .map((size, index) => ({ ...size, index }))
    .sort((a, b) => b.height - a.height || b.width - a.width)
  const photos: PlacedPhoto[] = []
  const row = { x: margin, y: margin, height: 0 }
  const placeCell = ({ width, height, index }: Size & { index: number }): boolean => {
    if (row.x + width > paper.width - margin && row.height > 0) {
      Object.assign(row, { x: margin, y: row.y + row.height + gap, height: 0 })
    }
    if (row.x + width > paper.width - margin || row.y + height > paper.height - margin) return false
    photos.push({ index, x: row.x, y: row.y, width, height })
    Object.assign(row, { x: row.x + width + gap, height: Math.max(row.height, height) })
    return true
  }
  for (const size of order) for (let i = 0; i < size.count; i++) if (!placeCell(size)) break
  const filling = order.filter(({ count }) => count === 0)
  // Each size gets a row in turn, so that every size gets its share.
  for (let open = filling; open.length > 0; ) {
    open = open.filter((size) => {
      if (!placeCell(size)) return false
      while (row.x + size.width <= paper.width - margin && placeCell(size));
      return true
    })
  }
  return centred(photos, paper)
}

function centred(photos: PlacedPhoto[], paper: Size): PlacedPhoto[] {
  const right = Math.max(0, ...photos.map(({ x, width }) => x + width))
  const bottom = Math.max(0, ...photos.map(({ y, height }) => y + height))
  const [dx, dy] = [(paper.width - margin - right) / 2, (paper.height - margin - bottom) / 2]
  return photos.map((photo) => ({ ...photo, x: photo.x + dx, y: photo.y + dy }))
}
