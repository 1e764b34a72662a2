import { solidPicture } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { pageSize, printDpi } from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import type { Output } from '#tools/engine/tool-engine.ts'
import type { PassportRule, PrintSheet } from '../contract/definition.ts'
import { cutMark, planSheet } from './sheet-plan.ts'

/** 300 dpi as JPEG, or PDF in true millimetres. */
export function renderSheet(
  { paper, file, cutMarks }: PrintSheet,
  rules: readonly { rule: PassportRule; count: number }[],
  photoBy: (rule: PassportRule) => Picture,
): Output {
  const { turned, millimetres, photos } = planSheet(paper, rules)
  const size = pageSize(paper, turned)
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
