import type { MeshPoints } from '../host.ts'
import type { Plane } from '../picture.ts'
import { boxBlur, createPlane, share } from '../plane.ts'
import { outlineOf, type Point } from '../portrait/landmarks.ts'
import { feather, fillPolygon } from '../portrait/regions.ts'
import type { Belief } from './solve.ts'

/** Guesses of one of the variants: how warm the whole is, and which colour clothes may have. */
export interface Mood {
  warmth: number
  /** How colourful what is not sure is around people, who are looked at first: 1 fully. */
  surroundings: number
  vividness: number
  clothes: readonly [a: number, b: number]
  /** What is alive where no face is seen is mostly an animal. */
  fur: readonly [a: number, b: number]
}

export const moods: readonly Mood[] = [
  { warmth: 0, surroundings: 0.6, vividness: 1, clothes: [9, 12], fur: [9, 12] },
  { warmth: 3, surroundings: 1, vividness: 1.3, clothes: [16, 20], fur: [12, 17] },
  { warmth: -4, surroundings: 0.8, vividness: 1.05, clothes: [-1, -9], fur: [6, 8] },
]

/** What is seen in a picture before it is coloured; all planes of one size. */
export interface Sight {
  /** 0 to 1. */
  lightness: Plane
  /** In pixels of the planes. */
  faces: readonly MeshPoints[]
  /** Probability of a person. */
  person: Plane
}

interface Palette {
  set(i: number, a: number, b: number, weight: number): void
}

/**
 * Likely colours and how sure they are, from what a picture shows: skin, lips, eyes and hair by the faces' meshes, more skin of the same lightness near
 * them, sky, plants and ground by place, lightness and texture; everything else a little warm, as most scenes are.
 */
export function likelyColours(sight: Sight, mood: Mood): { a: Belief; b: Belief } {
  const { lightness } = sight
  const { width, height } = lightness
  const plane = () => createPlane(width, height)
  const [a, b, weight] = [plane(), plane(), plane()]
  const palette: Palette = {
    set(i, red, yellow, sure) {
      a.data[i] = red * mood.vividness
      b.data[i] = yellow * mood.vividness + mood.warmth
      weight.data[i] = sure
    },
  }
  paintSurroundings(sight, mood, palette)
  for (const face of sight.faces) paintFace(sight, face, palette)
  return { a: { value: a, weight }, b: { value: b, weight } }
}

function paintSurroundings({ lightness, person, faces }: Sight, mood: Mood, palette: Palette): void {
  const { width, height, data } = lightness
  const reach = Math.max(2, Math.round(0.012 * Math.max(width, height)))
  const mean = boxBlur(lightness, reach)
  const rough = createPlane(width, height)
  for (let i = 0; i < data.length; i++) rough.data[i] = Math.abs((data[i] as number) - (mean.data[i] as number))
  const texture = boxBlur(rough, reach)
  const crowded = faces.length > 0
  const [body, hue] = [crowded ? mood.clothes : mood.fur, crowded ? -6 : 0]
  const lines = layingLines(lightness, 3 * reach)
  // Whoever is seen without a face may be anybody or anything.
  const calm = crowded || share(person, 0.5) > 0.02 ? mood.surroundings : 1
  const night = crowded ? 0 : ramp(0.4, 0.25, middleOf(lightness))
  for (let y = 0, i = 0; y < height; y++) {
    const down = (y + 0.5) / height
    for (let x = 0; x < width; x++, i++) {
      const level = data[i] as number
      const grain = texture.data[i] as number
      const clothed = person.data[i] as number
      // Chroma fades towards black and white.
      const strength = Math.sqrt(Math.max(0, Math.min(1, 4 * level * (1 - level))))
      const even = 1 - ramp(0.006, 0.03, grain)
      const sky = (crowded ? 0.4 : 1) * (1 - clothed) * even * ramp(0.5, 0.72, level) * ramp(0.62, 0.2, down)
      // Behind people a plain wall or backdrop is mostly grey to blue.
      const wall = crowded ? (1 - clothed) * even * ramp(0.72, 0.5, level) * ramp(0.08, 0.2, level) : 0
      const plant =
        (crowded ? 0.3 : 1) *
        (1 - clothed) *
        ramp(0.02, 0.05, grain) *
        ramp(0.75, 0.5, level) *
        ramp(0.08, 0.22, level) *
        // Boards, walls and other work of hands have lines that run one way.
        ramp(0.6, 0.35, lines.data[i] as number)
      const ground = (1 - clothed) * ramp(0.6, 0.9, down) * (1 - plant)
      const rest = Math.max(0, 1 - sky - plant - ground - wall) * (crowded ? 1 - 0.75 * even : 1)
      // At night what is dark is blue, and what is lit is lit warmly.
      const dusk = night * even * ramp(0.45, 0.3, level)
      const red = (1 - dusk) * (sky * -2 + plant * -5 + ground * 4 + rest * 3 + wall) + dusk * 2
      const yellow = (1 - dusk) * (sky * -8 + plant * 15 + ground * 11 + rest * 6 + wall * -13) - dusk * 14
      // Dark clothes tend to navy, others to what the variant guesses.
      const dressed = ramp(0.18, 0.4, level)
      palette.set(
        i,
        strength * (red * calm * (1 - clothed) + (1 + dressed * body[0]) * clothed),
        strength * (yellow * calm * (1 - clothed) + (dressed * (body[1] - hue) + hue) * clothed),
        0.004 + 0.012 * Math.max(sky, plant),
      )
    }
  }
}

/** How much the lines around each pixel run one way that is not upwards, as plants do: 0 to 1, by the structure tensor's eigenvalues. */
function layingLines({ width, height, data }: Plane, reach: number): Plane {
  const tensor = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const dx = (data[i + 1] as number) - (data[i - 1] as number)
      const dy = (data[i + width] as number) - (data[i - width] as number)
      tensor[0].data[i] = dx * dx
      tensor[1].data[i] = dx * dy
      tensor[2].data[i] = dy * dy
    }
  }
  const [xx, xy, yy] = tensor.map((plane) => boxBlur(plane, reach)) as [Plane, Plane, Plane]
  for (let i = 0; i < data.length; i++) {
    const [a, b, c] = [xx.data[i] as number, xy.data[i] as number, yy.data[i] as number]
    const one = Math.hypot(a - c, 2 * b)
    xx.data[i] = (one - Math.max(0, a - c)) / (a + c + 1e-6)
  }
  return xx
}

/** The lightness that half of the picture is below. */
function middleOf({ data }: Plane): number {
  return data.slice().sort()[data.length >> 1] as number
}

const ramp = (from: number, to: number, value: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))

/** Redness and yellowness of skin by lightness: deeper skin is browner, flash makes the lightest pale. */
const skinA = (level: number) => 8 + 9 * Math.sin(Math.PI * Math.min(1, Math.max(0, level)) ** 0.85)
const skinB = (level: number) => 7 + 14 * Math.sin(Math.PI * Math.min(1, Math.max(0, level)) ** 0.9)

function paintFace({ lightness, person }: Sight, face: MeshPoints, palette: Palette): void {
  const { width, height, data } = lightness
  const region = (points: readonly Point[], soft: number) => {
    const plane = createPlane(width, height)
    fillPolygon(plane, points)
    return soft > 0 ? feather(plane, soft) : plane
  }
  const oval = outlineOf(face, 'face')
  const [left, right] = [Math.min(...oval.map(({ x }) => x)), Math.max(...oval.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...oval.map(({ y }) => y)), Math.max(...oval.map(({ y }) => y))]
  const [wide, tall] = [right - left, bottom - top]
  const inside = region(oval, 0)
  const levels: number[] = []
  for (let i = 0; i < data.length; i++) if ((inside.data[i] as number) > 0.5) levels.push(data[i] as number)
  if (levels.length < 8) return
  levels.sort((p, q) => p - q)
  const skin = levels[Math.floor(0.6 * levels.length)] as number
  const shade = levels[Math.floor(0.1 * levels.length)] as number
  const centre = (left + right) / 2
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const level = data[i] as number
      if ((inside.data[i] as number) > 0.5) {
        palette.set(i, skinA(level), skinB(level), level < shade - 0.12 ? 0.02 : 0.5)
        continue
      }
      if ((person.data[i] as number) < 0.4) continue
      const [dx, dy] = [(x - centre) / wide, (y - bottom) / tall]
      const hair = Math.abs(dx) < 1.05 && y > top - 0.75 * tall && dy < 0.15 && (level < skin - 0.08 || y < top)
      const near = Math.exp(-((dx / 2.6) ** 2) - (Math.max(0, dy) / 2.4) ** 2)
      const likeSkin = Math.exp(-(((level - skin) / 0.11) ** 2)) * near
      if (hair) palette.set(i, 2 + 9 * ramp(0.1, 0.45, level), 3 + 16 * ramp(0.08, 0.5, level), 0.05)
      else if (dy > -0.2 && likeSkin > 0.35) palette.set(i, skinA(level), skinB(level), 0.03 * likeSkin)
    }
  }
  const unit = wide / 100
  paintPart(region(outlineOf(face, 'lips'), unit), palette, (i) => [27, 14, data[i] as number])
  for (const eye of ['leftEye', 'rightEye'] as const) {
    paintPart(region(outlineOf(face, eye), 0), palette, (i) => [
      (data[i] as number) < 0.35 ? 5 : 3,
      (data[i] as number) < 0.35 ? 8 : 3,
      1,
    ])
  }
  for (const brow of ['leftBrow', 'rightBrow'] as const) {
    paintPart(region(outlineOf(face, brow), unit), palette, (i) => [8, 12, (data[i] as number) < skin ? 0.6 : 0])
  }
}

function paintPart(part: Plane, palette: Palette, colour: (i: number) => readonly [number, number, number]): void {
  for (let i = 0; i < part.data.length; i++) {
    if ((part.data[i] as number) < 0.5) continue
    const [a, b, sure] = colour(i)
    if (sure > 0) palette.set(i, a, b, 0.6 * sure)
  }
}
