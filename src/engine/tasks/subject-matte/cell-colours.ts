import { floats } from '#engine/image/arena.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, unclearedPlane } from '#engine/image/plane.ts'

/** Side of a cell in pixels. */
export const cellSide = 6

/** Weighted colours of a picture's pixels, summed in square cells. */
export interface CellSums {
  width: number
  height: number
  /** Weights, then weighted red, green and blue (0 to 1), then their weighted squares. */
  planes: readonly [Plane, Plane, Plane, Plane, Plane]
}

/** Means of {@link CellSums} around each cell; they say nothing where `weight` is 0. */
export interface CellColours {
  weight: Float32Array
  red: Float32Array
  green: Float32Array
  blue: Float32Array
  /** Standard deviation of the colours, as a distance between two of them. */
  deviation: Float32Array
}

/** Empty cells that cover a picture. */
export function emptyCells(picture: Picture): CellSums {
  const [width, height] = [Math.ceil(picture.width / cellSide), Math.ceil(picture.height / cellSide)]
  const plane = () => createPlane(width, height)
  return { width, height, planes: [plane(), plane(), plane(), plane(), plane()] }
}

/** Adds the colour of a picture's pixel to a cell. */
export function addColour({ planes }: CellSums, cell: number, { data }: Picture, pixel: number, weight: number): void {
  const red = (data[4 * pixel] as number) / 255
  const green = (data[4 * pixel + 1] as number) / 255
  const blue = (data[4 * pixel + 2] as number) / 255
  addTo(planes[0], cell, weight)
  addTo(planes[1], cell, weight * red)
  addTo(planes[2], cell, weight * green)
  addTo(planes[3], cell, weight * blue)
  addTo(planes[4], cell, weight * (red * red + green * green + blue * blue))
}

/** Adds a value to a cell. */
export function addTo({ data }: Plane, cell: number, value: number): void {
  data[cell] = (data[cell] as number) + value
}

/** The means of sums over windows of each of these radii, in cells. */
export function blurred({ width, height, planes }: CellSums, radii: readonly number[]): CellSums[] {
  const blur = (plane: Plane, radius: number) => boxBlur(plane, radius, unclearedPlane(width, height))
  return radii.map((radius) => ({
    width,
    height,
    planes: planes.map((plane) => blur(plane, radius)) as unknown as CellSums['planes'],
  }))
}

/** Colours around each cell: the means of some windows, each by its share. */
export function meanColours(windows: readonly CellSums[], shares: readonly number[]): CellColours {
  const [weight, red, green, blue, deviation] = [0, 1, 2, 3, 4].map((k) => weighted(windows, shares, k)) as Five
  for (let i = 0; i < weight.length; i++) {
    const sum = weight[i] as number
    if (sum < 1e-9) {
      weight[i] = 0
      continue
    }
    const r = (red[i] as number) / sum
    const g = (green[i] as number) / sum
    const b = (blue[i] as number) / sum
    red[i] = r
    green[i] = g
    blue[i] = b
    deviation[i] = Math.sqrt(Math.max(0, (deviation[i] as number) / sum - r * r - g * g - b * b))
  }
  return { weight, red, green, blue, deviation }
}

type Five = [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array]

function weighted(windows: readonly CellSums[], shares: readonly number[], k: number): Float32Array {
  const sum = floats((windows[0] as CellSums).planes[0].data.length)
  for (const [w, { planes }] of windows.entries()) {
    const { data } = planes[k] as Plane
    const share = shares[w] as number
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + share * (data[i] as number)
  }
  return sum
}
