import type { Size } from '#engine/image/picture.ts'

/** Page shapes: screen ratios as width and height, and paper in millimetres. */
export const pageShapes = {
  '1:1': { width: 1, height: 1 },
  '4:5': { width: 4, height: 5 },
  '9:16': { width: 9, height: 16 },
  '3:2': { width: 3, height: 2 },
  a4: { width: 210, height: 297, millimetres: true },
  '4r': { width: 102, height: 152, millimetres: true },
} as const satisfies Record<string, Size & { millimetres?: true }>
export type PageShape = keyof typeof pageShapes

export const printDpi = 300
const screenSide = 2048

/** In pixels: paper at `printDpi`, else a longer side of 2048; `turned` swaps the sides. */
export function pageSize(shape: PageShape, turned = false): Size {
  const { width, height, ...rest } = pageShapes[shape]
  const scale = 'millimetres' in rest ? printDpi / 25.4 : screenSide / Math.max(width, height)
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)]
  return turned ? { width: down, height: across } : { width: across, height: down }
}

/** In millimetres; undefined for screen shapes. */
export function paperSize(shape: PageShape, turned = false): Size | undefined {
  const { width, height, ...rest } = pageShapes[shape]
  if (!('millimetres' in rest)) return undefined
  return turned ? { width: height, height: width } : { width, height }
}
