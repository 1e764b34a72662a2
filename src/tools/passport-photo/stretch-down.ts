import type { Picture } from '#engine/picture.ts'

/**
 * Stretches the rows from `from` to `to` down to the lower edge of a picture, in which nothing
 * below `to` counts; those above `from` stay as they are. Alpha is handled premultiplied.
 */
export function stretchDown({ width, height, data }: Picture, from: number, to: number): Picture {
  const out = data.slice()
  const step = (to - from) / (height - from)
  const last = Math.max(0, Math.ceil(to) - 1)
  for (let y = Math.max(0, Math.ceil(from)); y < height; y++) {
    const at = Math.min(last, Math.max(0, from + (y + 0.5 - from) * step - 0.5))
    const [above, share] = [Math.floor(at), at - Math.floor(at)]
    const below = Math.min(last, above + 1)
    for (let x = 0; x < width; x++)
      mixPixels(data, 4 * (above * width + x), 4 * (below * width + x), share, out, 4 * (y * width + x))
  }
  return { width, height, data: out }
}

function mixPixels(
  data: Uint8ClampedArray,
  one: number,
  other: number,
  share: number,
  out: Uint8ClampedArray,
  to: number,
): void {
  const [a, b] = [(1 - share) * (data[one + 3] as number), share * (data[other + 3] as number)]
  out[to + 3] = a + b
  for (let c = 0; c < 3; c++) {
    out[to + c] = a + b > 0 ? (a * (data[one + c] as number) + b * (data[other + c] as number)) / (a + b) : 0
  }
}
