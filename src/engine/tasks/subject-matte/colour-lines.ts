import { smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/** Zones from the mask's edge (`rim`) inwards: `deep`, `core`, `inside`. `other` is not used. */
export const pixelZone = {
  other: 0,
  wall: 1,
  inside: 2,
  core: 3,
  deep: 4,
  rim: 5,
} as const

/** Side in pixels of the square cells in which colours are summed. */
const cellSide = 6
/** Window radii, in cells, for measuring the colours of wall, hair and body. */
const radii = { wall: 10, hair: 4, body: 7 }
/** A colour counts as hair from this distance to the wall's colour (0 to 1 a channel). */
const leastDifference = 0.1
/**
 * Belief rises between these distances of the colours and positions of the body on their line, and
 * falls between these deviations of the wall (shares of the distance): only plain walls are
 * reliable.
 */
const limits = { difference: [0.12, 0.25], nearest: [-0.1, 0.2], roughness: [0.1, 0.2] } as const

export const valuesPerCell = 10

/** The line between the wall's colour and the hair's for every cell of a picture. */
export interface ColourLines extends Size {
  /**
   * Per cell: model of the position (0 wall, 1 hair) for red, green, blue and a constant; belief, 0
   * to 1; the wall's colour and deviation; squared distance of both colours. All 0 where unknown.
   */
  data: Float32Array
  /** True if any cell has a belief above 0. */
  believed: boolean
}

/** Measures the wall's and the hair's colours around each cell, and how well they separate. */
export function colourLines(guide: Picture, mask: Plane, zones: Uint8Array): ColourLines {
  const wall = meanColours(guide, radii.wall, (i) => (zones[i] === pixelZone.wall ? 1 : 0))
  const inside = (i: number) => (zones[i] as number) >= pixelZone.inside && (mask.data[i] as number) > 0.5
  const hair = meanColours(guide, radii.hair, (i, cell) =>
    inside(i) ? Math.max(0, differenceFrom(wall, cell, guide.data, i) - leastDifference) ** 2 : 0,
  )
  const body = meanColours(guide, radii.body, (i) => (inside(i) && (zones[i] as number) <= pixelZone.core ? 1 : 0))
  const { width, height } = wall
  const data = new Float32Array(valuesPerCell * width * height)
  let believed = false
  for (let cell = 0, at = 0; cell < width * height; cell++, at += valuesPerCell) {
    if (wall.weight[cell] === 0 || hair.weight[cell] === 0) continue
    const [red, green, blue] = colourAt(wall, cell)
    const [hairRed, hairGreen, hairBlue] = colourAt(hair, cell)
    const [r, g, b] = [hairRed - red, hairGreen - green, hairBlue - blue]
    const square = r * r + g * g + b * b
    if (square < limits.difference[0] ** 2) continue
    const model = [r / square, g / square, b / square, -(r * red + g * green + b * blue) / square] as const
    const difference = Math.sqrt(square)
    const roughness = (wall.deviation[cell] as number) / difference
    let belief = smoothstep(...limits.difference, difference) * (1 - smoothstep(...limits.roughness, roughness))
    if ((body.weight[cell] as number) > 0) {
      const [bodyRed, bodyGreen, bodyBlue] = colourAt(body, cell)
      const along = model[0] * bodyRed + model[1] * bodyGreen + model[2] * bodyBlue + model[3]
      belief *= smoothstep(...limits.nearest, along - (body.deviation[cell] as number) / difference)
    }
    for (let k = 0; k < 4; k++) data[at + k] = model[k] as number
    data[at + 4] = belief
    data[at + 5] = red
    data[at + 6] = green
    data[at + 7] = blue
    data[at + 8] = wall.deviation[cell] as number
    data[at + 9] = square
    if (belief > 0) believed = true
  }
  return { width, height, data, believed }
}

/** Mean colours around each cell; undefined where `weight` is 0. */
interface CellColours extends Size {
  weight: Float32Array
  red: Float32Array
  green: Float32Array
  blue: Float32Array
  /** Standard deviation of the colours, as a Euclidean distance. */
  deviation: Float32Array
}

/** Every second pixel of every second row is accurate enough. */
function meanColours(guide: Picture, radius: number, weightOf: (pixel: number, cell: number) => number): CellColours {
  const [width, height] = [Math.ceil(guide.width / cellSide), Math.ceil(guide.height / cellSide)]
  const sums = [0, 1, 2, 3, 4].map(() => createPlane(width, height))
  const [weights, reds, greens, blues, squares] = sums.map(({ data }) => data) as FivePlanes
  for (let y = 0; y < guide.height; y += 2) {
    const row = Math.floor(y / cellSide) * width
    for (let x = 0; x < guide.width; x += 2) {
      const i = y * guide.width + x
      const cell = row + Math.floor(x / cellSide)
      const weight = weightOf(i, cell)
      if (weight === 0) continue
      const red = (guide.data[4 * i] as number) / 255
      const green = (guide.data[4 * i + 1] as number) / 255
      const blue = (guide.data[4 * i + 2] as number) / 255
      weights[cell] = (weights[cell] as number) + weight
      reds[cell] = (reds[cell] as number) + weight * red
      greens[cell] = (greens[cell] as number) + weight * green
      blues[cell] = (blues[cell] as number) + weight * blue
      squares[cell] = (squares[cell] as number) + weight * (red * red + green * green + blue * blue)
    }
  }
  const [weight, red, green, blue, deviation] = sums.map((sum) => boxBlur(sum, radius).data) as FivePlanes
  for (let i = 0; i < weight.length; i++) {
    if ((weight[i] as number) < 1e-9) weight[i] = 0
    const share = weight[i] === 0 ? 0 : 1 / (weight[i] as number)
    const r = share * (red[i] as number)
    const g = share * (green[i] as number)
    const b = share * (blue[i] as number)
    red[i] = r
    green[i] = g
    blue[i] = b
    deviation[i] = Math.sqrt(Math.max(0, share * (deviation[i] as number) - r * r - g * g - b * b))
  }
  return { width, height, weight, red, green, blue, deviation }
}

type FivePlanes = [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array]

const colourAt = ({ red, green, blue }: CellColours, cell: number) =>
  [red[cell] as number, green[cell] as number, blue[cell] as number] as const

function differenceFrom({ red, green, blue }: CellColours, cell: number, data: Uint8ClampedArray, i: number): number {
  const r = (data[4 * i] as number) / 255 - (red[cell] as number)
  const g = (data[4 * i + 1] as number) / 255 - (green[cell] as number)
  const b = (data[4 * i + 2] as number) / 255 - (blue[cell] as number)
  return Math.sqrt(r * r + g * g + b * b)
}
