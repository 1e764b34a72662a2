import { floats } from '#engine/image/arena.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { addColour, addTo, blurred, type CellColours, cellSide, emptyCells, meanColours } from './cell-colours.ts'

/** What is known of a pixel before its alpha is looked for. */
export const place = {
  /** Nothing that matters here. */
  other: 0,
  wall: 1,
  /** Far within the mask. */
  inside: 2,
  /** Within the mask, where `inside` begins. */
  core: 3,
  /** Within the mask, but not far from its edge. */
  deep: 4,
  /** Around the mask's edge. */
  rim: 5,
} as const

/**
 * Radii of the windows, in cells, in which the wall's colour is measured, the hair's, and whatever
 * the wall's must not occur in.
 */
const radii = { wall: [1, 3, 10], hair: [1, 4], body: [7] }
/** How much these windows count: for the wall's colour, for how even it is, and for the hair's. */
const shares = { colour: [1, 1e-2, 1e-4], even: [0, 1, 0.05], hair: [1, 0.05] }
/** From this distance to the wall's colour on a colour counts as the hair's. */
const leastDifference = 0.1
/** Colours of the body nearer to the wall's than this are alike. */
const alike = 0.12
/** Between these values belief falls from 1 to 0, or rises to it. */
const limits = {
  likeness: [0.03, 0.15],
  difference: [0.12, 0.25],
  roughness: [0.1, 0.2],
  nearest: [-0.1, 0.2],
} as const

/** Values a cell holds in {@link ColourLines}. */
export const lineValues = 10

/** For every cell of a picture the line between the wall's colour and the hair's. */
export interface ColourLines {
  width: number
  height: number
  /**
   * A cell's values: the linear model of the place on the line (0 the wall's colour, 1 the hair's)
   * for red, green, blue and one; belief in it, 0 to 1; the wall's red, green and blue; the wall's
   * deviation; the squared distance of both colours. All 0 where a colour is unknown.
   */
  data: Float32Array
  /** Whether any cell's model is believed at all. */
  believed: boolean
}

/** The wall's and the hair's colours nearby, and whether alpha can be told from them. */
export function colourLines(guide: Picture, mask: Plane, places: Uint8Array): ColourLines {
  const seen = emptyCells(guide)
  eachCell(guide, (i, cell) => {
    if (places[i] === place.wall) addColour(seen, cell, guide, i, 1)
  })
  const windows = blurred(seen, radii.wall)
  const wall = meanColours(windows, shares.colour)
  const { deviation } = meanColours(windows, shares.even)
  const { hair, body, likeness } = frontColours(guide, mask, places, wall)
  const { width, height } = seen
  const data = floats(lineValues * width * height)
  let believed = false
  for (let cell = 0, at = 0; cell < width * height; cell++, at += lineValues) {
    if (wall.weight[cell] === 0 || hair.weight[cell] === 0) continue
    const r = (hair.red[cell] as number) - (wall.red[cell] as number)
    const g = (hair.green[cell] as number) - (wall.green[cell] as number)
    const b = (hair.blue[cell] as number) - (wall.blue[cell] as number)
    const square = r * r + g * g + b * b
    if (square < limits.difference[0] ** 2) continue
    const offset = -(
      r * (wall.red[cell] as number) +
      g * (wall.green[cell] as number) +
      b * (wall.blue[cell] as number)
    )
    data[at] = r / square
    data[at + 1] = g / square
    data[at + 2] = b / square
    data[at + 3] = offset / square
    const difference = Math.sqrt(square)
    let belief =
      rise(difference, limits.difference) * (1 - rise((deviation[cell] as number) / difference, limits.roughness))
    if ((body.weight[cell] as number) > 0) {
      const { red, green, blue } = body
      const mean =
        (r * (red[cell] as number) + g * (green[cell] as number) + b * (blue[cell] as number) + offset) / square
      belief *= rise(mean - (body.deviation[cell] as number) / difference, limits.nearest)
      belief *= 1 - rise((likeness[cell] as number) / (body.weight[cell] as number), limits.likeness)
    }
    data[at + 4] = belief
    if (belief > 0) believed = true
    data[at + 5] = wall.red[cell] as number
    data[at + 6] = wall.green[cell] as number
    data[at + 7] = wall.blue[cell] as number
    data[at + 8] = deviation[cell] as number
    data[at + 9] = square
  }
  return { width, height, data, believed }
}

/**
 * The hair's colours, those most that differ most from the wall's; the colours of the whole body;
 * and how many of these look like the wall's.
 */
function frontColours(guide: Picture, mask: Plane, places: Uint8Array, wall: CellColours) {
  const hair = emptyCells(guide)
  const body = emptyCells(guide)
  const likeness = createPlane(hair.width, hair.height)
  eachCell(guide, (i, cell) => {
    const known = places[i] as number
    if (known < place.inside || (mask.data[i] as number) <= 0.5) return
    const difference = differenceFrom(wall, cell, guide.data, i)
    if (difference > leastDifference) addColour(hair, cell, guide, i, (difference - leastDifference) ** 2)
    if (known > place.core) return
    addColour(body, cell, guide, i, 1)
    if (difference < alike) addTo(likeness, cell, 1 - difference / alike)
  })
  return {
    hair: meanColours(blurred(hair, radii.hair), shares.hair),
    body: meanColours(blurred(body, radii.body), [1]),
    likeness: boxBlur(likeness, radii.body[0] as number).data,
  }
}

/** Every second pixel of every second row, which is enough for means, and the cell it lies in. */
function eachCell({ width, height }: Picture, use: (pixel: number, cell: number) => void): void {
  const across = Math.ceil(width / cellSide)
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor(y / cellSide) * across
    for (let x = 0; x < width; x += 2) use(y * width + x, row + Math.floor(x / cellSide))
  }
}

function differenceFrom({ red, green, blue }: CellColours, cell: number, data: Uint8ClampedArray, i: number): number {
  const r = (data[4 * i] as number) / 255 - (red[cell] as number)
  const g = (data[4 * i + 1] as number) / 255 - (green[cell] as number)
  const b = (data[4 * i + 2] as number) / 255 - (blue[cell] as number)
  return Math.sqrt(r * r + g * g + b * b)
}

/** 0 below the first limit, 1 above the second, smooth between. */
export function rise(value: number, [from, to]: readonly [number, number]): number {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1)
  return t * t * (3 - 2 * t)
}
