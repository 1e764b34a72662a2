import { createPlane, type Picture } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { labOf } from '#engine/tasks/colorize/lab.ts'

export interface Hint {
  color: string
  size: number
  points: number[]
}

/**
 * Places hints like a user who knows the true colours: a dot in the largest wrong area, repeatedly.
 */
export async function hintsFor(
  truth: Picture,
  count: number,
  colorize: (hints: Hint[]) => Promise<Picture> | Picture,
): Promise<Hint[]> {
  const hints: Hint[] = []
  while (hints.length < count) {
    const now = await colorize(hints)
    const wrong = createPlane(truth.width, truth.height)
    for (let i = 0; i < wrong.data.length; i++) {
      const [wanted, found] = [truth, now].map(({ data }) => labOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!))
      wrong.data[i] = Math.hypot(wanted![1] - found![1], wanted![2] - found![2])
    }
    const side = Math.max(truth.width, truth.height)
    const area = boxBlur(boxBlur(wrong, Math.round(0.07 * side)), Math.round(0.02 * side))
    const apart = (i: number) =>
      hints.every(
        ({ points }) =>
          Math.hypot((i % truth.width) - points[0]!, Math.floor(i / truth.width) - points[1]!) > 0.14 * side,
      )
    let middle = 0
    for (let i = 0; i < area.data.length; i++) if (area.data[i]! > area.data[middle]! && apart(i)) middle = i
    const best = typicalPixel(truth, middle, Math.round(0.06 * side))
    hints.push({
      color: `#${[0, 1, 2].map((c) => truth.data[4 * best + c]!.toString(16).padStart(2, '0')).join('')}`,
      size: Math.round(0.02 * side),
      points: [best % truth.width, Math.floor(best / truth.width)],
    })
  }
  return hints
}

/** The pixel around a position whose colour is most typical there. */
function typicalPixel({ width, height, data }: Picture, middle: number, reach: number): number {
  const [x, y] = [middle % width, Math.floor(middle / width)]
  const around: { i: number; a: number; b: number }[] = []
  for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
      const i = v * width + u
      const [, a, b] = labOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!)
      around.push({ i, a, b })
    }
  }
  const middling = (values: number[]) => values.sort((p, q) => p - q)[values.length >> 1]!
  const [a, b] = [middling(around.map((one) => one.a)), middling(around.map((one) => one.b))]
  const off = (one: { a: number; b: number }) => Math.hypot(one.a - a, one.b - b)
  return around.reduce((best, one) => (off(one) < off(best) ? one : best)).i
}
