import { type } from '#shared/schema.ts'

/** Points of one stroke (two numbers each), and in total. */
const maxStrokes = { count: 200, points: 4000, total: 20_000 } as const

const stroke = type({
  '+': 'reject',
  mode: "'keep' | 'erase'",
  shape: "'line' | 'area' = 'line'",
  size: '1 <= number <= 8192',
  points: type('(-16384 <= number <= 16384)[]').narrow(
    ({ length }, context) =>
      (length >= 2 && length % 2 === 0 && length <= 2 * maxStrokes.points) ||
      context.mustBe(`x and y by turns, at most ${maxStrokes.points} points`),
  ),
  'subject?': '0 <= number.integer < 100',
})

/** Defaults to none. */
export const strokesSchema = stroke
  .array()
  .narrow(
    (strokes, context) =>
      (strokes.length <= maxStrokes.count &&
        strokes.reduce((sum, { points }) => sum + points.length, 0) <= 2 * maxStrokes.total) ||
      context.mustBe(`at most ${maxStrokes.count} strokes with ${maxStrokes.total} points`),
  )
  .default(() => [])
