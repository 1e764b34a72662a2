import type { Picture, Plane } from './picture.ts'
import { unclearedPlane } from './plane.ts'

/** Brightness (ITU-R BT.601 luma) of red, green and blue, in their unit. */
export const luma = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue

/** Brightness of the pixel at index `i` of RGBA values, 0 to 255. */
export function lumaAt(data: Uint8ClampedArray, i: number): number {
  return luma(data[4 * i] as number, data[4 * i + 1] as number, data[4 * i + 2] as number)
}

/** Brightness of every pixel, 0 to `white`; alpha is left out. */
export function lumaOf({ width, height, data }: Picture, white = 255): Plane {
  const plane = unclearedPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = (lumaAt(data, i) * white) / 255
  return plane
}

/** Takes all colour from RGBA values, in place. */
export function drainColour(data: Uint8ClampedArray): void {
  for (let i = 0; i < data.length; i += 4) {
    const level = luma(data[i] as number, data[i + 1] as number, data[i + 2] as number)
    data[i] = level
    data[i + 1] = level
    data[i + 2] = level
  }
}
