import { createPlane, type Plane } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import { pictureOf, type Tones } from '#engine/image/tones.ts'
import { nearestColour, paletteOf } from '../palette.ts'
import { removeFineTexture, type Style, scaleSaturation, stretchContrast } from '../style.ts'

/** Bayer's 4×4 ordered dither (1973), −0.5 to 0.5. */
const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((rank) => (rank + 0.5) / 16 - 0.5)

export const pixel: Style = (input) => {
  const { strength } = input
  const smooth = removeFineTexture(input, 5, 0.12)
  stretchContrast(smooth.luma)
  scaleSaturation(smooth, 1.65)
  const { width, height } = smooth.luma
  const across = Math.round(126 - 46 * strength)
  const cell = Math.max(2, Math.ceil(Math.max(width, height) / across))
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  const small: Tones = {
    luma: shrink(smooth.luma, columns, rows),
    blue: shrink(smooth.blue, columns, rows),
    red: shrink(smooth.red, columns, rows),
  }
  const face = shrink(input.face, columns, rows)
  sharpen(small.luma, 0.7)
  const palette = paletteOf(small, Math.round(24 - 8 * strength))
  const coarse = { luma: createPlane(columns, rows), blue: createPlane(columns, rows), red: createPlane(columns, rows) }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const i = y * columns + x
      const dither = 0.1 * (1 - (face.data[i] as number)) * (bayer[(y % 4) * 4 + (x % 4)] as number)
      const level = (small.luma.data[i] as number) + dither
      const k = nearestColour(palette, level, small.blue.data[i] as number, small.red.data[i] as number)
      coarse.luma.data[i] = palette[3 * k] as number
      coarse.blue.data[i] = palette[3 * k + 1] as number
      coarse.red.data[i] = palette[3 * k + 2] as number
    }
  }
  if (input.lines) outline(coarse.luma, small.luma)
  const enlarge = ({ data }: Plane): Plane => {
    const out = createPlane(width, height)
    for (let y = 0; y < height; y++) {
      const row = Math.min(rows - 1, Math.floor(y / cell)) * columns
      for (let x = 0; x < width; x++) {
        out.data[y * width + x] = data[row + Math.min(columns - 1, Math.floor(x / cell))] as number
      }
    }
    return out
  }
  return pictureOf({ luma: enlarge(coarse.luma), blue: enlarge(coarse.blue), red: enlarge(coarse.red) })
}

function sharpen(plane: Plane, amount: number): void {
  const { width, height } = plane
  const before = plane.data.slice()
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const around = (before[i - 1]! + before[i + 1]! + before[i - width]! + before[i + width]!) / 4
      plane.data[i] = (before[i] as number) + amount * ((before[i] as number) - around)
    }
  }
}

function outline(target: Plane, light: Plane): void {
  const { width, height, data } = light
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const own = data[i] as number
      const lightest = Math.max(data[i - 1]!, data[i + 1]!, data[i - width]!, data[i + width]!)
      if (lightest - own > 0.17) target.data[i] = (target.data[i] as number) * 0.45
    }
  }
}
