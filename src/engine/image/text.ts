import letters from './letters.json' with { type: 'json' }
import { createPlane, type Plane } from './picture.ts'

/** Plus Jakarta Sans Bold (SIL Open Font License 1.1), extracted by `src/scripts/letters.mjs`. */
const { em, capHeight, letters: shapes } = letters
const fallbackShape = shapes['?']
const shapeOf = (letter: string) => (shapes as Partial<Record<string, typeof fallbackShape>>)[letter] ?? fallbackShape
/** Correction of the advance width for pairs of letters. */
const kerning = new Map(
  Object.entries(letters.kerning).flatMap(([distance, pairs]) =>
    Array.from({ length: pairs.length / 2 }, (_, i) => [pairs.slice(2 * i, 2 * i + 2), Number(distance)] as const),
  ),
)

/** Relative to the text's size. */
export function textWidth(text: string): number {
  return placedLetters(text).width / em
}

/** Relative to the text's size. */
export const capitalHeight = capHeight / em

/**
 * 0 to 1 for each pixel; `left`, `baseline` and `size` in pixels. Exact areas of the outlines give
 * the same values on every machine.
 */
export function textCoverage(
  text: string,
  at: { width: number; height: number; left: number; baseline: number; size: number },
): Plane {
  const plane = createPlane(at.width, at.height)
  const scale = at.size / em
  const edges = new Float32Array(at.width * at.height + at.width + 2)
  for (const { outline, x } of placedLetters(text).letters) {
    traceOutline(
      outline,
      (px, py) => [at.left + (x + px) * scale, at.baseline - py * scale],
      (ax, ay, bx, by) => addEdge(edges, at.width, at.height, ax, ay, bx, by),
    )
  }
  for (let y = 0; y < at.height; y++) {
    let sum = 0
    for (let x = 0, i = y * at.width; x < at.width; x++, i++) {
      sum += edges[i] as number
      plane.data[i] = Math.min(1, Math.abs(sum))
    }
  }
  return plane
}

function placedLetters(text: string): { letters: { outline: string; x: number }[]; width: number } {
  const letters: { outline: string; x: number }[] = []
  let x = 0
  let before = ''
  for (const letter of text) {
    const { advance, outline } = shapeOf(letter)
    x += kerning.get(before + letter) ?? 0
    letters.push({ outline, x })
    x += advance
    before = letter
  }
  return { letters, width: x }
}

type ToPixels = (x: number, y: number) => [number, number]
type Edge = (ax: number, ay: number, bx: number, by: number) => void

const curveSteps = 8

function traceOutline(outline: string, toPixels: ToPixels, edge: Edge): void {
  let start: [number, number] = [0, 0]
  let now = start
  const to = (next: [number, number]) => {
    edge(now[0], now[1], next[0], next[1])
    now = next
  }
  for (const [, command, numbers] of outline.matchAll(/([MLQ])([^MLQ]+)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = (numbers as string).split(' ').map(Number)
    if (command === 'M') {
      to(start)
      start = toPixels(a, b)
      now = start
    } else if (command === 'L') to(toPixels(a, b))
    else {
      const [from, control, end] = [now, toPixels(a, b), toPixels(c, d)]
      for (let i = 1; i <= curveSteps; i++) {
        const t = i / curveSteps
        const along = (k: 0 | 1) => (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * control[k] + t * t * end[k]
        to([along(0), along(1)])
      }
    }
  }
  to(start)
}

/**
 * Adds an edge's signed area to the pixels it crosses; running sums along rows give covered areas.
 */
function addEdge(sums: Float32Array, width: number, height: number, ax: number, ay: number, bx: number, by: number) {
  if (ay === by) return
  const sign = ay < by ? 1 : -1
  const [x0, y0, x1, y1] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay]
  const slope = (x1 - x0) / (y1 - y0)
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, Math.ceil(y1)); y++) {
    const top = Math.max(y, y0)
    const bottom = Math.min(y + 1, y1)
    const [xa, xb] = [x0 + (top - y0) * slope, x0 + (bottom - y0) * slope]
    addSpan(sums, y * width, width, Math.min(xa, xb), Math.max(xa, xb), sign * (bottom - top))
  }
}

/** Everything to the right of the slanted line is covered by `area`. */
function addSpan(sums: Float32Array, row: number, width: number, left: number, right: number, area: number): void {
  let before = 0
  for (let x = Math.floor(left); x <= Math.ceil(right); x++) {
    const after = meanDistanceLeftOf(x + 1, left, right) - meanDistanceLeftOf(x, left, right)
    if (x < width) sums[row + Math.max(0, x)] = (sums[row + Math.max(0, x)] as number) + area * (after - before)
    before = after
  }
}

/** Mean distance of the line's points to the left of `x`; points to the right count as 0. */
function meanDistanceLeftOf(x: number, left: number, right: number): number {
  if (x <= left) return 0
  if (right - left < 1e-9 || x >= right) return x - (left + right) / 2
  return (x - left) ** 2 / (2 * (right - left))
}
