import type { Picture } from '#engine/image/picture.ts'
import { capitalHeight, textCoverage, textWidth } from '#engine/image/text.ts'

const words = 'Diedit AI'
/** Height of the letters as a share of the picture's shorter side. */
const letterHeightShare = 0.032

/** White letters on a dark plate in the lower right corner, readable on any picture. In place. */
export function pasteAiLabel(picture: Picture): void {
  const { width, height, data } = picture
  const size = Math.max(11, letterHeightShare * Math.min(width, height))
  const gap = Math.round(0.5 * size)
  const plate = {
    width: Math.min(width, Math.round(textWidth(words) * size) + 2 * gap),
    height: Math.min(height, Math.round(capitalHeight * size) + 2 * gap),
  }
  const [left, top] = [Math.max(0, width - plate.width - gap), Math.max(0, height - plate.height - gap)]
  const baseline = gap + capitalHeight * size
  const letters = textCoverage(words, { ...plate, left: gap, baseline, size })
  for (let y = 0; y < plate.height; y++) {
    for (let x = 0; x < plate.width; x++) {
      const ink = letters.data[y * plate.width + x] as number
      const at = 4 * ((top + y) * width + left + x)
      for (let c = 0; c < 3; c++) {
        const below = 0.45 * (data[at + c] as number)
        data[at + c] = below + ink * (255 - below)
      }
      data[at + 3] = 255
    }
  }
}
