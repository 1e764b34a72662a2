import type { Box } from '#contract/media.ts'

interface Point {
  x: number
  y: number
}

/**
 * Turns, enlarges and moves: a point of the source comes to `scale · R(angle) · point + (x, y)`; a
 * positive angle (radians) turns clockwise as the picture is seen. Coordinates are in pixels, 0, 0
 * being the upper left corner of a picture (not the middle of its first pixel).
 */
export interface Similarity {
  scale: number
  angle: number
  x: number
  y: number
}

/**
 * The similarity that turns by `angle`, scales by `scale` and brings the point `from` of the source
 * to `to`.
 */
export function similarityTo(from: Point, to: Point, angle: number, scale: number): Similarity {
  const turned = transform({ scale, angle, x: 0, y: 0 }, from)
  return { scale, angle, x: to.x - turned.x, y: to.y - turned.y }
}

/** Where a point of the source comes to. */
export function transform({ scale, angle, x, y }: Similarity, point: Point): Point {
  const cos = scale * Math.cos(angle)
  const sin = scale * Math.sin(angle)
  return { x: cos * point.x - sin * point.y + x, y: sin * point.x + cos * point.y + y }
}

/** The way back. */
export function inverse(similarity: Similarity): Similarity {
  const { scale, angle, x, y } = similarity
  const back = { scale: 1 / scale, angle: -angle, x: 0, y: 0 }
  const origin = transform(back, { x, y })
  return { ...back, x: -origin.x, y: -origin.y }
}

/** A box as large as it comes to be, around where its middle comes to, its sides as before. */
export function moveBox({ x, y, width, height }: Box, by: Similarity): Box {
  const middle = transform(by, { x: x + width / 2, y: y + height / 2 })
  const size = { width: width * by.scale, height: height * by.scale }
  return { x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size }
}

/** First one, then the other. */
export function chain(first: Similarity, second: Similarity): Similarity {
  const { x, y } = transform(second, first)
  return { scale: first.scale * second.scale, angle: first.angle + second.angle, x, y }
}

/** How far down a picture reaches at a column of the target; 0 where it does not reach at all. */
export function lowestAt({ width, height }: Pick<Box, 'width' | 'height'>, by: Similarity, x: number): number {
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ].map((corner) => transform(by, corner))
  const rows = corners.flatMap((a, i) => {
    const b = corners[(i + 1) % corners.length] as Point
    return a.x < x === b.x < x ? [] : [a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x)]
  })
  return Math.max(0, ...rows)
}
