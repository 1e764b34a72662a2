import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { ramp } from '#engine/image/ramp.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { feather, fillPolygon, outlineOf, type Point } from '#engine/tasks/faces/regions.ts'
import { bareSkin } from './bare.ts'
import { type ColourEstimate, type Observations, type Portrait, reachOf, roomFor, traitsOf } from './colour-estimate.ts'
import { type Face, faceOf, nearestFace } from './faces.ts'
import { tint } from './tint.ts'
import { brows, cloth, creasedCloth, eyes, hair, lips, skin, type Tones, toneAt } from './tones.ts'

/**
 * Skin, lips, eyes and brows by the faces' meshes, hair around them, bare skin and clothes below;
 * without a face, whatever is alive.
 */
export function paintPeople(observed: Observations, estimate: ColourEstimate): void {
  const faces = observed.faces.map((mesh) => faceOf(observed.lightness, mesh)).filter((face) => face !== undefined)
  if (faces.length > 0) paintPortrait(observed, faces, estimate)
  else paintAlive(observed, estimate)
}

function paintPortrait(observed: Observations, faces: readonly Face[], estimate: ColourEstimate): void {
  const texture = roughness(observed.lightness, reachOf(0.01, observed.lightness))
  const portrait = { faces, bare: bareSkin(observed.lightness, texture, observed.person, faces) }
  paintBodies(observed, portrait, texture, estimate)
  for (const face of faces) paintFace(observed.lightness, face, estimate)
  estimate.traits = traitsOf(observed, portrait)
  tint(portrait, estimate.traits, estimate)
}

/** Without a face, what is alive is mostly an animal. */
function paintAlive({ lightness, person }: Observations, estimate: ColourEstimate): void {
  for (let i = 0; i < lightness.data.length; i++) {
    const level = lightness.data[i] as number
    const alive = roomFor(level) * (person.data[i] as number)
    estimate.a.data[i] = (estimate.a.data[i] as number) + alive
    estimate.worn.data[i] = alive * ramp(0.18, 0.4, level)
  }
}

/** Chances between which guesses go from clothes to skin: the middle of both is neither. */
const doubt = [0.5, 0.8] as const

/**
 * How much of an outline for hints the border of skin is that is only guessed; that of a face is 1.
 */
const skinLabel = 0.35

function paintBodies(
  { lightness, person }: Observations,
  { faces, bare: chance }: Portrait,
  texture: Plane,
  estimate: ColourEstimate,
): void {
  const { width, height, data } = lightness
  const folds = roughness(lightness, reachOf(0.03, lightness))
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const here = person.data[i] as number
      if (here === 0) continue
      const face = nearestFace(faces, x, y)
      const level = data[i] as number
      const lighter = level - face.level
      const aside = Math.abs(x - face.centre) / face.wide
      const under = (y - face.bottom) / face.tall
      const worn = here * roomFor(level)
      const creased = ramp(0.02, 0.05, folds.data[i] as number)
      const toneOfCloth = (tone: 'a' | 'b') =>
        (1 - creased) * toneAt(cloth[tone], level) + creased * toneAt(creasedCloth[tone], level)
      let [a, b, weight] = [toneOfCloth('a'), toneOfCloth('b'), 0.004]
      if (under < -0.15) {
        if (aside < 1.1 && y > face.top - 0.75 * face.tall) {
          ;[a, b, weight] = [toneAt(hair.a, level), toneAt(hair.b, level), 0.05]
          estimate.skin.data[i] = here * ramp(0.2, 0.1, Math.abs(lighter))
        } else estimate.worn.data[i] = worn
      } else {
        // Beside the neck rough parts may be long hair.
        const strands = 0.6 * ramp(0.7, 0.2, under) * ramp(1.3, 1, aside) * ramp(0.01, 0.025, texture.data[i] as number)
        a += strands * (toneAt(hair.a, level) - a)
        b += strands * (toneAt(hair.b, level) - b)
        const bare = ramp(...doubt, chance.data[i] as number)
        a += bare * (toneAt(skin.a, level) - a)
        b += bare * (toneAt(skin.b, level) - b)
        weight = 0.004 + 0.03 * bare
        estimate.worn.data[i] = worn * (1 - bare) * (1 - strands)
        estimate.skin.data[i] = skinLabel * here * bare
      }
      estimate.a.data[i] = (estimate.a.data[i] as number) + here * a
      estimate.b.data[i] = (estimate.b.data[i] as number) + here * b
      estimate.weight.data[i] = (1 - here) * (estimate.weight.data[i] as number) + here * weight
    }
  }
}

function paintFace(
  lightness: Plane,
  { mesh, inside, level: usual, shade, wide }: Face,
  estimate: ColourEstimate,
): void {
  const { width, height, data } = lightness
  const paint = (part: Plane, { a, b }: Tones, sure: (level: number) => number) => {
    for (let i = 0; i < data.length; i++) {
      if ((part.data[i] as number) < 0.5) continue
      const level = data[i] as number
      const weight = sure(level)
      if (weight === 0) continue
      estimate.a.data[i] = toneAt(a, level)
      estimate.b.data[i] = toneAt(b, level)
      estimate.weight.data[i] = weight
      estimate.around.data[i] = 0
      estimate.worn.data[i] = 0
      estimate.skin.data[i] = 1
    }
  }
  const part = (points: readonly Point[], soft: number) => {
    const plane = createPlane(width, height)
    fillPolygon(plane, points)
    return soft > 0 ? feather(plane, soft) : plane
  }
  const unit = wide / 100
  paint(inside, skin, (level) => (level < shade - 0.12 ? 0.02 : 0.5))
  paint(part(outlineOf(mesh, 'lips'), unit), lips, (level) => 0.6 * level)
  for (const eye of ['leftEye', 'rightEye'] as const) paint(part(outlineOf(mesh, eye), 0), eyes, () => 0.6)
  for (const brow of ['leftBrow', 'rightBrow'] as const)
    paint(part(outlineOf(mesh, brow), unit), brows, (level) => (level < usual ? 0.36 : 0))
}
