import type { Picture } from '#engine/image/picture.ts'

export function colourful(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(4 * width * height).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x)
      data[at] = 20 + (215 * x) / width
      data[at + 1] = 230 - (200 * y) / height
      data[at + 2] = 128 + 100 * Math.sin((6 * (x + y)) / (width + height))
    }
  }
  return { width, height, data }
}
