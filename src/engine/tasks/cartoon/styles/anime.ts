import { smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, type Plane } from '#engine/image/picture.ts'
import { feather, valueAt } from '#engine/image/plane.ts'
import { pictureOf, type Tones } from '#engine/image/tones.ts'
import { detectStrands, drawLines } from '../lines.ts'
import {
  applyInk,
  type Eye,
  removeFineTexture,
  type Style,
  type StyleInput,
  scaleSaturation,
  stretchContrast,
} from '../style.ts'

const darkestTone = 0.24
/** Largest share by which brows and eyes are darker than that. */
const deepest = 0.85

/**
 * Animation cels: flat bright colours with one crisp, cooler shade and bands of light (toon
 * shading, Lake et al. 2000; from the photograph's difference to its flat colours), large eyes,
 * blush, and contours thick outside and thin in the face (FDoG/XDoG).
 */
export const anime: Style = (input) => {
  const { strength, unit, face, features } = input
  const flat = removeFineTexture(input, 26 + 20 * strength, 0.2 + 0.14 * strength)
  const lightness = feather(input.drawing, 1.6 * unit)
  for (let i = 0; i < lightness.data.length; i++) {
    lightness.data[i] = (lightness.data[i] as number) - (flat.luma.data[i] as number)
  }
  stretchContrast(flat.luma)
  scaleSaturation(flat, 1.35 + 0.3 * strength)
  const { luma, blue, red } = flat
  const around = skinLightness(luma, input)
  for (let i = 0; i < luma.data.length; i++) {
    const keep = features.data[i] as number
    const skin = (face.data[i] as number) * (1 - keep)
    const level = Math.min(1, Math.max(0, luma.data[i] as number))
    const off = lightness.data[i] as number
    const human = Math.max(skin, skinLikeness(blue.data[i] as number, red.data[i] as number))
    const shade = smoothstep(0.03 + 0.05 * human, 0.05 + 0.06 * human, -off) * (1 - keep) * (1 - 0.5 * human)
    const light = smoothstep(0.035, 0.055, off) * (1 - keep) * (1 - 0.8 * human)
    const cel = level - (0.17 - 0.06 * skin) * shade * (0.4 + level) + 0.14 * light * (1 - level)
    const base = around.data[i] as number
    const tone = Math.min(1, Math.max(0, cel + keep * (Math.max(level, base) - cel)))
    // The darker the tone, the more violet, and no tone is darker than `darkestTone`.
    const dusk = (1 - tone) ** 2
    // Brows, lashes and pupils stay darker than the skin around them, as in the photograph.
    const dark = keep * deepest * (1 - Math.min(1, level / Math.max(0.05, base)))
    luma.data[i] = (darkestTone + (1 - darkestTone) * tone ** (0.72 + 0.14 * human)) * (1 - dark)
    const colour = 1 - 0.45 * dusk - 0.2 * keep * (1 - dark)
    blue.data[i] = (blue.data[i] as number) * colour + 0.085 * dusk * (1 - 0.8 * human) + 0.022 * shade - 0.012 * tone
    red.data[i] = (red.data[i] as number) * colour + 0.025 * dusk + 0.02 * shade + 0.012 * tone
  }
  if (input.lines) {
    const ink = drawLines(input, { sigma: 1.15, along: 6, emphasis: 26, threshold: 0.23, slope: 12 })
    applyInk(flat, ink, 0.66, 0.9)
    applyInk(flat, detectStrands(input), 0.4, 0.9)
  }
  for (const eye of input.eyes) highlightEye(flat, eye)
  glow(luma, unit)
  return pictureOf(flat)
}

/** Lightness of the skin around each pixel of a face, without its eyes, brows and mouth. */
function skinLightness(luma: Plane, { face, features, eyes, unit }: StyleInput): Plane {
  const radius = Math.max(4 * unit, ...eyes.map(({ width }) => 0.7 * width))
  const skin = copyPlane(face)
  for (let i = 0; i < skin.data.length; i++)
    skin.data[i] = (skin.data[i] as number) * (1 - (features.data[i] as number))
  const sum = copyPlane(skin)
  for (let i = 0; i < sum.data.length; i++) sum.data[i] = (sum.data[i] as number) * (luma.data[i] as number)
  const [light, weight] = [feather(sum, radius), feather(skin, radius)]
  for (let i = 0; i < light.data.length; i++) {
    const shares = weight.data[i] as number
    light.data[i] = shares > 0.01 ? (light.data[i] as number) / shares : (luma.data[i] as number)
  }
  return light
}

/** Similarity of a colour to light or dark skin, 0 to 1. */
function skinLikeness(blue: number, red: number): number {
  return smoothstep(0.015, 0.04, red) * smoothstep(-0.005, -0.03, blue) * (1 - smoothstep(0.2, 0.3, red))
}

function glow({ width, height, data }: Plane, unit: number): void {
  const reach = Math.max(2, Math.round(9 * unit))
  const soft = feather({ width, height, data }, reach)
  for (let i = 0; i < data.length; i++) {
    const light = Math.max(0, (soft.data[i] as number) - 0.7)
    data[i] = (data[i] as number) + 0.25 * light * (1 - (data[i] as number))
  }
}

function highlightEye({ luma, blue, red }: Tones, { x, y, width: size, open, up }: Eye): void {
  const aside = open ? irisOffset(luma, { x, y, width: size, open, up }) : 0
  const dots = open ? [at(aside - 0.13, 0.1, 0.085), at(aside + 0.11, -0.09, 0.045)] : []
  const [across, down] = [
    { x: -up.y, y: up.x },
    { x: -up.x, y: -up.y },
  ]
  function at(right: number, above: number, radius: number) {
    return { right: right * size, above: above * size, radius: Math.max(1, radius * size) }
  }
  const reach = Math.ceil(1.9 * size)
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(luma.height, y + reach); row++) {
    for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(luma.width, x + reach); column++) {
      const i = row * luma.width + column
      const [dx, dy] = [column + 0.5 - x, row + 0.5 - y]
      const right = dx * across.x + dy * across.y
      const above = -(dx * down.x + dy * down.y)
      const cheek = Math.hypot(right / 0.75, (above + 0.95 * size) / 0.4) / size
      const blush = 1 - smoothstep(0.35, 1, cheek)
      red.data[i] = (red.data[i] as number) + 0.05 * blush
      blue.data[i] = (blue.data[i] as number) - 0.004 * blush
      const iris = 1 - smoothstep(0.2, 0.3, Math.hypot(right - aside * size, above) / size)
      if (open && iris > 0) {
        luma.data[i] = (luma.data[i] as number) + 0.16 * iris * smoothstep(0.05, -0.2, above / size)
        red.data[i] = (red.data[i] as number) * (1 + 0.5 * iris)
        blue.data[i] = (blue.data[i] as number) * (1 + 0.5 * iris)
      }
      for (const dot of dots) {
        const spot = 1 - smoothstep(0.75, 1.15, Math.hypot(right - dot.right, above - dot.above) / dot.radius)
        if (spot === 0) continue
        luma.data[i] = (luma.data[i] as number) + spot * (0.99 - (luma.data[i] as number))
        red.data[i] = (red.data[i] as number) * (1 - spot)
        blue.data[i] = (blue.data[i] as number) * (1 - spot)
      }
    }
  }
}

/** Extent in which the iris is the darkest part, and its largest offset, in widths of the eye. */
const irisSearch = { aside: 0.42, along: 0.14, most: 0.2 } as const

/** The iris's distance to the right of the eye's middle, in widths of the eye: the gaze. */
function irisOffset(luma: Plane, { x, y, width: size, up }: Eye): number {
  const sums = { dark: 0, place: 0 }
  for (let u = -irisSearch.aside; u <= irisSearch.aside; u += 0.02) {
    for (let v = -irisSearch.along; v <= irisSearch.along; v += 0.02) {
      const level = valueAt(luma, x + size * (v * up.x - u * up.y), y + size * (v * up.y + u * up.x))
      const dark = Math.max(0, 0.75 - level) ** 3
      sums.dark += dark
      sums.place += dark * u
    }
  }
  const offset = sums.place / (sums.dark || 1)
  return Math.max(-irisSearch.most, Math.min(irisSearch.most, offset))
}
