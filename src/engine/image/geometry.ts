import type { Box } from '#shared/media.ts'
import type { Matte, Plane, Size } from './picture.ts'

export const wholeOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height })

/** The part inside a picture, on whole pixels; undefined when it is empty. */
export function clipBox(box: Box, size: Size): Box | undefined {
  const x = Math.max(0, Math.round(box.x))
  const y = Math.max(0, Math.round(box.y))
  const right = Math.min(size.width, Math.round(box.x + box.width))
  const bottom = Math.min(size.height, Math.round(box.y + box.height))
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined
}

export function scaleBox(box: Box, factorX: number, factorY: number): Box {
  return { x: box.x * factorX, y: box.y * factorY, width: box.width * factorX, height: box.height * factorY }
}

/** Extends a box by `margin` pixels on every side. */
export function growBox(box: Box, margin: number): Box {
  return { x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin }
}

export function unionBox(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

/** True if a point, in the pixels of the box, lies in it; the right and lower edges are outside. */
export const holdsPoint = ({ x, y, width, height }: Box, pointX: number, pointY: number): boolean =>
  pointX >= x && pointY >= y && pointX < x + width && pointY < y + height

/** Intersection over union, 0 to 1. */
export function boxOverlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  return shared / (a.width * a.height + b.width * b.height - shared)
}

/** Share of a box that lies inside another one. */
export function shareInside(box: Box, other: Box): number {
  const width = Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x)
  const height = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y)
  return (Math.max(0, width) * Math.max(0, height)) / (box.width * box.height)
}

/** Bounding box of all values above `threshold`; undefined when there are none. */
export function boundsOf(plane: Plane | Matte, threshold: number): Box | undefined {
  const { width, height, data } = plane
  let left = width
  let right = -1
  let top = -1
  let bottom = -1
  for (let y = 0; y < height; y++) {
    const row = y * width
    let first = 0
    while (first < width && (data[row + first] as number) <= threshold) first++
    if (first === width) continue
    let last = width - 1
    while ((data[row + last] as number) <= threshold) last--
    if (first < left) left = first
    if (last > right) right = last
    if (top < 0) top = y
    bottom = y
  }
  return top < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** Connected by 4 neighbours. */
export interface Region {
  label: number
  area: number
  box: Box
  touchesBorder: boolean
}

/** Flood fill: 1 for pixels connected (4 neighbours) to those in `from` through `inside`. */
export function connectedTo(
  { width, height }: Size,
  from: readonly number[],
  inside: (index: number) => boolean,
): Uint8Array {
  const reached = new Uint8Array(width * height)
  const stack = [...from]
  while (stack.length > 0) {
    const i = stack.pop() as number
    if (reached[i] !== 0 || !inside(i)) continue
    reached[i] = 1
    if (i % width > 0) stack.push(i - 1)
    if (i % width < width - 1) stack.push(i + 1)
    if (i >= width) stack.push(i - width)
    if (i + width < reached.length) stack.push(i + width)
  }
  return reached
}

/** Labels the connected regions in which `inside` holds; pixels outside have label 0. */
export function connectedRegions(
  width: number,
  height: number,
  inside: (index: number) => boolean,
): { labels: Int32Array; regions: Region[] } {
  const open = new Uint8Array(width * height)
  for (let i = 0; i < open.length; i++) if (inside(i)) open[i] = 1
  const labels = new Int32Array(width * height)
  const stack = new Int32Array(width * height)
  const regions: Region[] = []
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 1) regions.push(fillRegion(open, width, height, start, regions.length + 1, labels, stack))
  }
  return { labels, regions }
}

/** Also clears the region in `open`; the content of `stack` is irrelevant. */
function fillRegion(
  open: Uint8Array,
  width: number,
  height: number,
  start: number,
  label: number,
  labels: Int32Array,
  stack: Int32Array,
): Region {
  let depth = 0
  let area = 0
  let left = width
  let right = 0
  let top = height
  let bottom = 0
  stack[depth++] = start
  while (depth > 0) {
    const index = stack[--depth] as number
    if (open[index] === 0) continue
    const x = index % width
    const row = index - x
    const y = row / width
    let from = index
    while (from > row && open[from - 1] === 1) from--
    let to = index + 1
    while (to < row + width && open[to] === 1) to++
    labels.fill(label, from, to)
    open.fill(0, from, to)
    area += to - from
    left = Math.min(left, from - row)
    right = Math.max(right, to - 1 - row)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
    if (y > 0) depth = pushRunStarts(open, from - width, to - width, stack, depth)
    if (y < height - 1) depth = pushRunStarts(open, from + width, to + width, stack, depth)
  }
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const touchesBorder = left === 0 || top === 0 || right === width - 1 || bottom === height - 1
  return { label, area, box, touchesBorder }
}

/** Returns the new depth of the stack. */
function pushRunStarts(open: Uint8Array, from: number, to: number, stack: Int32Array, depth: number): number {
  let newDepth = depth
  for (let i = from; i < to; i++) {
    if (open[i] === 1 && (i === from || open[i - 1] === 0)) stack[newDepth++] = i
  }
  return newDepth
}

export interface Point {
  x: number
  y: number
}

/**
 * Maps a source point to `scale · R(angle) · point + (x, y)`. A positive angle (radians) is
 * clockwise on screen; (0, 0) is a picture's upper left corner, not the centre of its first pixel.
 */
export interface Similarity {
  scale: number
  angle: number
  x: number
  y: number
}

/** `angle` in radians; maps the source point `from` to `to`. */
export function similarityTo(from: Point, to: Point, angle: number, scale: number): Similarity {
  const turned = transform({ scale, angle, x: 0, y: 0 }, from)
  return { scale, angle, x: to.x - turned.x, y: to.y - turned.y }
}

export const translationBy = (x: number, y: number): Similarity => ({ scale: 1, angle: 0, x, y })

export function transform({ scale, angle, x, y }: Similarity, point: Point): Point {
  const cos = scale * Math.cos(angle)
  const sin = scale * Math.sin(angle)
  return { x: cos * point.x - sin * point.y + x, y: sin * point.x + cos * point.y + y }
}

/** Clockwise. */
export function cornersOf({ width, height }: Size, by: Similarity): Point[] {
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ]
  return corners.map((corner) => transform(by, corner))
}

export function inverse(similarity: Similarity): Similarity {
  const { scale, angle, x, y } = similarity
  const back = { scale: 1 / scale, angle: -angle, x: 0, y: 0 }
  const origin = transform(back, { x, y })
  return { ...back, x: -origin.x, y: -origin.y }
}

/** Maps the centre of a box and scales its sides, which stay axis-aligned. */
export function moveBox({ x, y, width, height }: Box, by: Similarity): Box {
  const middle = transform(by, { x: x + width / 2, y: y + height / 2 })
  const size = { width: width * by.scale, height: height * by.scale }
  return { x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size }
}

/** Applies `first`, then `second`. */
export function composeSimilarities(first: Similarity, second: Similarity): Similarity {
  const { x, y } = transform(second, first)
  return { scale: first.scale * second.scale, angle: first.angle + second.angle, x, y }
}

/** Lowest row that a mapped picture reaches in a column of the target; 0 if none. */
export function lowestRowAt(size: Size, by: Similarity, x: number): number {
  const corners = cornersOf(size, by)
  const rows = corners.flatMap((a, i) => {
    const b = corners[(i + 1) % corners.length] as Point
    return a.x < x === b.x < x ? [] : [a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x)]
  })
  return Math.max(0, ...rows)
}

/** Fills a closed polygon: every pixel with its centre inside (even–odd rule). */
export function fillPolygon(
  { width, height, data }: Size & { data: Float32Array | Int8Array },
  polygon: readonly Point[],
  value = 1,
): void {
  const rows = polygon.map(({ y }) => y)
  const top = Math.max(0, Math.ceil(Math.min(...rows) - 0.5))
  const bottom = Math.min(height - 1, Math.floor(Math.max(...rows) - 0.5))
  for (let y = top; y <= bottom; y++) {
    const centre = y + 0.5
    const crossings: number[] = []
    for (let i = 0; i < polygon.length; i++) {
      const a = polygon[i] as Point
      const b = polygon[(i + 1) % polygon.length] as Point
      if (a.y <= centre === b.y <= centre) continue
      crossings.push(a.x + ((centre - a.y) / (b.y - a.y)) * (b.x - a.x))
    }
    crossings.sort((a, b) => a - b)
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(0, Math.ceil((crossings[k] as number) - 0.5))
      const to = Math.min(width - 1, Math.floor((crossings[k + 1] as number) - 0.5))
      if (to >= from) data.fill(value, y * width + from, y * width + to + 1)
    }
  }
}
