import type { EngineHost } from '#engine/host.ts'
import { shiftPlane, softShadow } from '#engine/image/composite.ts'
import { boundsOf, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropWithPadding, fitWithin } from '#engine/image/pixels.ts'
import { feather, resizeSmooth, shrink, smoothRows } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { findFaces, headFrame, photoLight } from '#engine/tasks/faces/index.ts'
import type { Box } from '#shared/media.ts'
import type { BackgroundDiffusionParams } from '#tools/background-diffusion/contract/definition.ts'

/** Unchanged pixels are copied exactly. */
export function placeSubject(
  cutOut: Picture,
  { scale, x, y }: Pick<BackgroundDiffusionParams, 'scale' | 'x' | 'y'>,
): Picture {
  if (scale === 1 && x === 0 && y === 0) return cutOut
  const { width, height } = cutOut
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const figure = scale === 1 ? cutOut : resamplePart(cutOut, wholeOf(cutOut), wide, high)
  const left = Math.round((width - wide) / 2 + x * width)
  const top = Math.round(height - high + y * height)
  return cropWithPadding(figure, { x: -left, y: -top, width, height })
}

/** In shares of the picture's height; undefined where the lower edge cuts off the subject. */
export function stanceOf(matte: Plane): { bottom: number; height: number; width: number } | undefined {
  const box = boundsOf(matte, 0.5)
  const bottom = box ? (box.y + box.height) / matte.height : 1
  return box && bottom < lowestFoot
    ? { bottom, height: box.height / matte.height, width: box.width / matte.height }
    : undefined
}

/** A subject that ends above this share of the height stands on the ground. */
const lowestFoot = 0.99
const workSide = 384
/** Longer side of the shadow, which is soft everywhere. */
const shadowSide = 512

/**
 * Shadow, 0 none to 1 black, at reduced size: on the ground, to the side away from the light, or,
 * for a subject cut off by the lower edge, on the wall behind.
 */
export function sceneShadow(whole: Plane, side: number, wall: boolean): Plane | undefined {
  const size = fitWithin(whole, shadowSide)
  const matte = shrink(whole, size.width, size.height)
  const { width, height } = fitWithin(matte, workSide)
  const small = shrink(matte, width, height)
  const box = boundsOf(small, 0.5)
  if (!box) return undefined
  if (!stanceOf(small)) return wall ? onWall(small, matte, side) : undefined
  const contact = softShadow(matte, { strength: 0.5 })
  const laid = createPlane(width, height)
  const ground = box.y + box.height - 1
  const flat = 0.2 + 0.08 * Math.abs(side)
  for (let y = 0; y < height; y++) {
    const up = (ground - y) / flat
    const source = Math.round(ground - up) * width
    if (up < 0 || source < box.y * width) continue
    const shift = Math.round(-side * 0.9 * (ground - y) * 2)
    const fade = 0.42 * (1 - up / box.height) ** 1.3
    for (let x = Math.max(0, shift); x < Math.min(width, width + shift); x++) {
      laid.data[y * width + x] = fade * (small.data[source + x - shift] as number)
    }
  }
  const rowOf = smoothRows(feather(laid, 0.018 * height), matte.width, matte.height)
  for (let y = 0, i = 0; y < matte.height; y++) {
    const row = rowOf(y)
    for (let x = 0; x < matte.width; x++, i++) {
      contact.data[i] = Math.max(contact.data[i] as number, row[x] as number)
    }
  }
  return contact
}

function onWall(small: Plane, matte: Plane, side: number): Plane {
  const shadow = shiftPlane(small, Math.round(-side * 0.07 * small.width), Math.round(0.025 * small.height))
  for (let i = 0; i < shadow.data.length; i++) shadow.data[i] = 0.34 * (shadow.data[i] as number)
  return resizeSmooth(feather(shadow, 0.035 * small.height), matte.width, matte.height)
}

/** `light` is the direction of the light on the face. */
export type Head = { eyes: number; head: number; light: number[] }

/** Of the largest upright face that the subject includes; a search for others takes seconds. */
export async function headIn(picture: Picture, matte: Plane, host: EngineHost): Promise<Head | null> {
  for (const { points } of await findFaces(picture, host)) {
    const { eyes, eyesToChin } = headFrame(points)
    const [x, y] = [Math.round(eyes.x), Math.round(eyes.y)]
    if (x < 0 || y < 0 || x >= matte.width || y >= matte.height) continue
    // The eyes are halfway between crown and chin.
    if ((matte.data[y * matte.width + x] as number) > 0.5)
      return {
        eyes: eyes.y / picture.height,
        head: (2 * eyesToChin) / picture.height,
        light: photoLight(picture, points).map((value) => Math.round(1000 * value) / 1000),
      }
  }
  return null
}

/** Without a face only the side of the light is known. */
export function ownLight(head: Head | null | undefined, side: number): [number, number, number] {
  return (head?.light as [number, number, number] | undefined) ?? [sideContrast * side, 0, 0]
}
const sideContrast = 0.25

export function placeHead(
  { eyes, head }: Pick<Head, 'eyes' | 'head'>,
  { height }: Size,
  { scale, y }: Pick<BackgroundDiffusionParams, 'scale' | 'y'>,
  frame: Box | undefined,
): Pick<Head, 'eyes' | 'head'> {
  const framed = frame
    ? { eyes: (eyes * height - frame.y) / frame.height, head: (head * height) / frame.height }
    : { eyes, head }
  return { eyes: 1 - (1 - framed.eyes) * scale + y, head: framed.head * scale }
}
