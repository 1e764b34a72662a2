import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { roughness } from '#engine/image/roughness.ts'
import { outlineOf, type outlines } from '#engine/tasks/faces/landmarks.ts'
import { feather, fillPolygon } from '#engine/tasks/faces/regions.ts'
import { type Face, nearestFace } from './faces.ts'
import type { Portrait, Sight, Traits } from './likely.ts'

/** The longer side's share that `roughness` looks at for finer and coarser texture, in pixels. */
export const reachOf = (share: number, { width, height }: Pick<Plane, 'width' | 'height'>) =>
  Math.max(2, Math.round(share * Math.max(width, height)))

export function traitsOf({ lightness, person }: Sight, portrait: Portrait | undefined): Traits {
  const { width, height } = lightness
  const faces = portrait?.faces ?? []
  const within = (share: number) => reachOf(share, lightness)
  const rough = (share: number) => roughness(lightness, within(share)).data.map((value) => Math.log(value + 0.002))
  const part = (names: readonly (keyof typeof outlines)[], softness: number) => {
    const plane = createPlane(width, height)
    for (const { mesh } of faces) for (const name of names) fillPolygon(plane, outlineOf(mesh, name))
    return (softness > 0 ? feather(plane, softness) : plane).data
  }
  const soft = (faces[0]?.wide ?? 0) / 100
  return {
    level: lightness.data,
    near: boxBlur(lightness, within(0.02)).data,
    wide: boxBlur(boxBlur(lightness, within(0.08)), within(0.05)).data,
    texture: rough(0.01),
    folds: rough(0.03),
    unrest: rough(0.08),
    person: person.data,
    bare: portrait?.bare.data ?? new Float32Array(width * height),
    ...besideFaces(faces, width, height),
    face: part(['face'], 0),
    lips: part(['lips'], soft),
    eyes: part(['leftEye', 'rightEye'], 0),
    brows: part(['leftBrow', 'rightBrow'], soft),
  }
}

function besideFaces(faces: readonly Face[], width: number, height: number): Pick<Traits, 'aside' | 'under'> {
  const aside = new Float32Array(width * height)
  const under = new Float32Array(width * height)
  if (faces.length === 0) return { aside, under }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const face = nearestFace(faces, x, y)
      aside[i] = Math.min(4, Math.abs(x - face.centre) / face.wide)
      under[i] = Math.max(-3, Math.min(6, (y - face.bottom) / face.tall))
    }
  }
  return { aside, under }
}
