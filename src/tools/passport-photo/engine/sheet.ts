import { solidPicture } from '#engine/image/composite.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { pageSize, paperSize, printDpi } from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import type { Output } from '#tools/engine/tool-engine.ts'
import { type Paper, type PassportRule, type PrintSheet, printSize } from '../contract/definition.ts'

/** Millimetres: the printer's white border, and the gap for scissors and cut marks. */
const margin = 4
const gap = 4
/** Distance from a photo's corner and length, in millimetres. */
const cutMark = { away: 0.4, length: 2.4, grey: 150 }

/** In millimetres from the upper left corner. */
interface PlacedPhoto extends Box {
  /** Index of its size among the requested ones. */
  index: number
}

interface SheetPlan {
  /** True if the paper is turned because more photos fit. */
  turned: boolean
  photos: PlacedPhoto[]
}

/**
 * Places photos in rows, tallest first, on the orientation that takes more of them. Sizes with a
 * count come first; those with 0 share the rest. Photos that do not fit are left out.
 */
function planSheet(paper: Paper, wanted: readonly (Size & { count: number })[]): SheetPlan {
  const plans = [false, true].map((turned) => {
    return { turned, photos: fillPaper(paperSize(paper, turned) as Size, wanted) }
  })
  const [upright, turned] = plans as [SheetPlan, SheetPlan]
  return turned.photos.length > upright.photos.length ? turned : upright
}

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

/** 300 dpi as JPEG, or PDF in true millimetres. */
export function renderSheet(
  { paper, file, cutMarks }: PrintSheet,
  rules: readonly { rule: PassportRule; count: number }[],
  photoBy: (rule: PassportRule) => Picture,
): Output {
  const sizes = rules.map(({ rule, count }) => ({ ...printSize(rule), count }))
  const { turned, photos } = planSheet(paper, sizes)
  const size = pageSize(paper, turned)
  const millimetres = paperSize(paper, turned) as Size
  const sheet = solidPicture(size.width, size.height, '#ffffff')
  const scale = printDpi / 25.4
  const made = new Map<number, Picture>()
  for (const { index, x, y, width, height } of photos) {
    const [left, top] = [Math.round(x * scale), Math.round(y * scale)]
    const { rule } = rules[index] as { rule: PassportRule }
    const photo = made.get(index) ?? photoBy({ ...rule, unit: 'mm', width, height, dpi: printDpi })
    made.set(index, photo)
    pastePicture(sheet, photo, left, top)
    if (cutMarks) markCorners(sheet, { x: left, y: top, width: photo.width, height: photo.height }, scale)
  }
  const label = `${paper.toUpperCase()} ${file === 'pdf' ? 'PDF' : 'JPG'}`
  if (file === 'pdf') return { label, pages: [{ picture: sheet, millimetres }] }
  return { label, picture: sheet, encoding: { format: 'jpeg', quality: 95, dpi: printDpi } }
}

/** Two short lines outside each corner of the photo. */
function markCorners(sheet: Picture, { x, y, width, height }: Box, scale: number): void {
  const [away, length] = [Math.round(cutMark.away * scale), Math.round(cutMark.length * scale)]
  for (const column of [x, x + width - 1]) {
    for (let step = away; step < away + length; step++) {
      dot(sheet, column, y - 1 - step)
      dot(sheet, column, y + height + step)
    }
  }
  for (const row of [y, y + height - 1]) {
    for (let step = away; step < away + length; step++) {
      dot(sheet, x - 1 - step, row)
      dot(sheet, x + width + step, row)
    }
  }
}

function dot({ width, height, data }: Picture, x: number, y: number): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return
  data.set([cutMark.grey, cutMark.grey, cutMark.grey], 4 * (y * width + x))
}
