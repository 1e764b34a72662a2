import type { MeshPoints } from '../host.ts'
import type { Plane } from '../picture.ts'
import { boxBlur, createPlane } from '../plane.ts'
import { outlineOf, type Point } from '../portrait/landmarks.ts'
import { feather, fillPolygon } from '../portrait/regions.ts'
import { type Likely, ramp, roomFor, type Sight } from './likely.ts'
import { roughness } from './surroundings.ts'
import { brows, cloth, creasedCloth, eyes, hair, lips, skin, type Tones, toneAt } from './tones.ts'
import { stepsOver, travel } from './ways.ts'

interface Face {
  mesh: MeshPoints
  inside: Plane
  centre: number
  top: number
  bottom: number
  wide: number
  tall: number
  /** Lightness of its skin, and of its deeper shadows. */
  level: number
  shade: number
}

/** Skin, lips, eyes and brows by the faces' meshes, hair around them, bare skin and clothes below; without a face, whatever is alive. */
export function paintPeople(sight: Sight, likely: Likely): void {
  const faces = sight.faces.map((mesh) => faceOf(sight.lightness, mesh)).filter((face) => face !== undefined)
  if (faces.length === 0) paintAlive(sight, likely)
  else paintBodies(sight, faces, likely)
  for (const face of faces) paintFace(sight.lightness, face, likely)
}

function faceOf(lightness: Plane, mesh: MeshPoints): Face | undefined {
  const oval = outlineOf(mesh, 'face')
  const inside = createPlane(lightness.width, lightness.height)
  fillPolygon(inside, oval)
  const levels = lightness.data.filter((_, i) => (inside.data[i] as number) > 0).sort()
  if (levels.length < 8) return undefined
  const [xs, ys] = [oval.map(({ x }) => x), oval.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return {
    mesh,
    inside,
    centre: (left + right) / 2,
    top,
    bottom,
    wide: right - left,
    tall: bottom - top,
    level: levels[Math.floor(0.6 * levels.length)] as number,
    shade: levels[Math.floor(0.1 * levels.length)] as number,
  }
}

/** Without a face, what is alive is mostly an animal. */
function paintAlive({ lightness, person }: Sight, likely: Likely): void {
  for (let i = 0; i < lightness.data.length; i++) {
    const level = lightness.data[i] as number
    const alive = roomFor(level) * (person.data[i] as number)
    likely.a.data[i] = (likely.a.data[i] as number) + alive
    likely.worn.data[i] = alive * ramp(0.18, 0.4, level)
  }
}

/** Probability of bare skin, by logistic regression over about ninety photographs: how the way from the face, the lightness against the face's and texture tell it. */
const odds = { base: -1.2, near: 3.1, lighter: -3.1, unlike: -12, alike: 1.2, rough: -3.7, aside: -0.2 }
function chanceOfSkin(way: number, lighter: number, rough: number, aside: number): number {
  const score =
    odds.base +
    odds.near * Math.exp(-way) +
    odds.lighter * lighter +
    odds.unlike * lighter ** 2 +
    odds.alike * Math.exp(-((lighter / 0.1) ** 2)) +
    odds.rough * rough +
    odds.aside * aside
  return 1 / (1 + Math.exp(-score))
}

/** Chances between which guesses go from clothes to skin: the middle of both is neither. */
const doubt = [0.4, 0.7] as const

/** How much of an outline for hints the border of skin is that is only guessed; that of a face is 1. */
const skinLabel = 0.35

function paintBodies({ lightness, person }: Sight, faces: readonly Face[], likely: Likely): void {
  const { width, height, data } = lightness
  const way = waysFromFaces(lightness, person, faces)
  const texture = roughness(lightness, Math.max(2, Math.round(0.01 * Math.max(width, height))))
  const folds = roughness(lightness, Math.max(2, Math.round(0.03 * Math.max(width, height))))
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
          likely.skin.data[i] = here * ramp(0.2, 0.1, Math.abs(lighter))
        } else likely.worn.data[i] = worn
      } else {
        // Beside the neck rough parts may be long hair.
        const strands = 0.6 * ramp(0.7, 0.2, under) * ramp(1.3, 1, aside) * ramp(0.01, 0.025, texture.data[i] as number)
        a += strands * (toneAt(hair.a, level) - a)
        b += strands * (toneAt(hair.b, level) - b)
        const bare = ramp(...doubt, chanceOfSkin(way[i] as number, lighter, texture.data[i] as number, aside))
        a += bare * (toneAt(skin.a, level) - a)
        b += bare * (toneAt(skin.b, level) - b)
        weight = 0.004 + 0.03 * bare
        likely.worn.data[i] = worn * (1 - bare) * (1 - strands)
        likely.skin.data[i] = skinLabel * here * bare
      }
      likely.a.data[i] = (likely.a.data[i] as number) + here * a
      likely.b.data[i] = (likely.b.data[i] as number) + here * b
      likely.weight.data[i] = (1 - here) * (likely.weight.data[i] as number) + here * weight
    }
  }
}

/** How far each pixel is from bare skin of a face by ways along which lightness changes little; a face's height is 0.15. */
function waysFromFaces(lightness: Plane, person: Plane, faces: readonly Face[]): Float32Array {
  const distance = new Float32Array(lightness.data.length).fill(Number.POSITIVE_INFINITY)
  for (const { inside, level } of faces) {
    for (let i = 0; i < distance.length; i++) {
      if ((inside.data[i] as number) > 0 && Math.abs((lightness.data[i] as number) - level) < 0.2) distance[i] = 0
    }
  }
  const step = 0.15 / Math.max(...faces.map(({ tall }) => tall))
  travel(stepsOver(boxBlur(lightness, 1), [person], { step, edge: 8, grain: 0.01, label: 2 }), distance)
  return distance
}

/** The face to which a body at a place most likely belongs: bodies are below their faces. */
function nearestFace(faces: readonly Face[], x: number, y: number): Face {
  let [best, least] = [faces[0] as Face, Number.POSITIVE_INFINITY]
  if (faces.length === 1) return best
  for (const face of faces) {
    const aside = (x - face.centre) / face.wide
    const above = Math.max(0, face.top - y) / face.tall
    const below = Math.max(0, y - face.bottom) / face.tall
    const away = 1.5 * aside ** 2 + 4 * above ** 2 + 0.5 * below ** 2
    if (away < least) [best, least] = [face, away]
  }
  return best
}

function paintFace(lightness: Plane, { mesh, inside, level: usual, shade, wide }: Face, likely: Likely): void {
  const { width, height, data } = lightness
  const paint = (part: Plane, { a, b }: Tones, sure: (level: number) => number) => {
    for (let i = 0; i < data.length; i++) {
      if ((part.data[i] as number) < 0.5) continue
      const level = data[i] as number
      const weight = sure(level)
      if (weight === 0) continue
      likely.a.data[i] = toneAt(a, level)
      likely.b.data[i] = toneAt(b, level)
      likely.weight.data[i] = weight
      likely.around.data[i] = 0
      likely.worn.data[i] = 0
      likely.skin.data[i] = 1
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
