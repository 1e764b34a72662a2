import { smoothstep } from '#engine/image/numbers.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { cropPicture, fitArea } from '#engine/image/pixels.ts'
import { smoothRows } from '#engine/image/plane.ts'
import { createSeededRandom, type SeededRandom } from '#engine/image/random.ts'
import { lumaOf } from '#engine/image/tones.ts'
import { randomNoise } from '#engine/tasks/enhance/denoise.ts'
import type { Box } from '#shared/media.ts'
import { type Canvas, type LinearRgb, paintPixels } from './canvas.ts'
import { type Scene, srgbOf, type Wishes } from './scene.ts'

/** Scenes are out of focus or plain, so this many pixels hold all their detail. */
const sceneArea = 300_000

export interface SceneRequest extends Size {
  seed: number
  wishes: Wishes
  /** Direction of the light, −1 (left) to 1 (right). */
  side: number
  /** Factors for red, green and blue that match the subject's light; 1, 1, 1 by default. */
  balance?: readonly [number, number, number]
  /** Set if the subject is seen whole rather than cut off by the lower edge. */
  stance?: SubjectPosition
  /** Colour of the floor under the subject for scenes without a floor. */
  floor?: LinearRgb | undefined
  area?: number
  /** Strength of the grain, 1 by default. */
  grain?: number | undefined
}

export function developScene(
  scene: Scene,
  { width, height, seed, wishes, side, balance = [1, 1, 1], stance, floor, area = sceneArea, grain }: SceneRequest,
): Picture {
  const chance = createSeededRandom(seed)
  const varied = {
    ...wishes,
    warmth: wishes.warmth + chance.between(-0.3, 0.3),
    brightness: wishes.brightness + chance.between(-0.14, 0.14),
  }
  const canvas = scene({ ...fitArea({ width, height }, area), chance, wishes: varied, side })
  if (stance && floor) addFloor(canvas, stance, floor, chance)
  return develop(canvas, width, height, { wishes: varied, balance, seed, grain })
}

interface Development {
  wishes: Pick<Wishes, 'warmth' | 'brightness' | 'drama'>
  seed: number
  balance?: readonly [number, number, number]
  vignette?: number
  /** Strength of the grain; 1 by default. */
  grain?: number | undefined
}

const steps = 4096
const whitest = 4
const usualExposure = 1.32

/**
 * Develops linear light like a camera: exposure and white balance, a filmic shoulder for highlights
 * (Hable 2010), darker corners (cos⁴), and grain, strongest in the midtones.
 */
export function develop(
  canvas: Canvas,
  width: number,
  height: number,
  { wishes, seed, balance = [1, 1, 1], vignette = 0.3 + 0.12 * wishes.drama, grain = 1 }: Development,
): Picture {
  const exposure = 2 ** (0.75 * wishes.brightness) * usualExposure
  const warm = 1 + 0.13 * wishes.warmth
  const gains = [exposure * balance[0] * warm, exposure * balance[1], (exposure * balance[2]) / warm] as const
  const curve = toneCurve(1 + 0.22 * wishes.drama)
  /** Strength of the grain by the curve's steps: strongest in the midtones. */
  const grainLevels = curve.map((level) => grain * (0.45 + 0.55 * Math.sin((Math.PI * level) / 255)))
  const tile = grainTile(seed)
  const rows = [canvas.red, canvas.green, canvas.blue].map((data) => smoothRows({ ...canvas, data }, width, height))
  const data = new Uint8ClampedArray(width * height * 4)
  const corner = vignette / ((width / height) ** 2 / 4 + 0.25)
  const line = new Float32Array(width)
  // Grain has a fixed size on film, so it scales with the picture.
  const grainScale = Math.max(1, Math.sqrt((width * height) / 1_000_000))
  // Bytes wrap around at 256, the side of the tile.
  const grainColumns = Uint8Array.from({ length: width }, (_, x) => x / grainScale)
  for (let y = 0; y < height; y++) {
    const dy = (y + 0.5) / height - 0.5
    const grainRow = (Math.floor(y / grainScale) & 255) << 8
    for (let x = 0; x < width; x++) {
      const dx = (x + 0.5 - width / 2) / height
      const falloff = 1 / (1 + corner * (dx * dx + dy * dy))
      line[x] = falloff * falloff
    }
    for (const [c, row] of rows.entries()) {
      const own = row(y)
      const gain = gains[c] as number
      for (let x = 0, at = 4 * y * width + c; x < width; x++, at += 4) {
        const light = Math.max(0, (own[x] as number) * gain * (line[x] as number))
        const step = Math.min(steps - 1, Math.floor(Math.sqrt(light / whitest) * steps))
        const noise = (grainLevels[step] as number) * (tile[grainRow | (grainColumns[x] as number)] as number)
        data[at] = (curve[step] as number) + noise + (((x * 7 + y * 13 + c * 5) % 8) - 3.5) / 8
      }
    }
    for (let at = 4 * y * width + 3; at < 4 * (y + 1) * width; at += 4) data[at] = 255
  }
  return { width, height, data }
}

/** sRGB levels for light from 0 to `whitest`, indexed by its square root. */
function toneCurve(contrast: number): Float32Array {
  const film = (x: number) => (x * (0.22 * x + 0.03) + 0.002) / (x * (0.22 * x + 0.3) + 0.06) - 0.002 / 0.06
  const white = film(whitest * 1.7)
  return Float32Array.from({ length: steps }, (_, i) => {
    const light = whitest * ((i + 0.5) / steps) ** 2
    const level = srgbOf(Math.min(1, film(light * 1.7) / white))
    const s = level + (contrast - 1) * level * (1 - level) * (level - 0.4) * 2
    return 255 * Math.min(1, Math.max(0, s))
  })
}

let levelLights: Float32Array | undefined

/** Light that {@link develop} turns into each of the 256 levels, without wishes. */
export function lightOfLevels(): Float32Array {
  if (levelLights) return levelLights
  const curve = toneCurve(1)
  let step = 0
  levelLights = Float32Array.from({ length: 256 }, (_, level) => {
    while (step < steps - 1 && (curve[step] as number) < level) step++
    return (whitest * ((step + 0.5) / steps) ** 2) / usualExposure
  })
  levelLights[0] = 0
  return levelLights
}

/** Deviation of the grain in levels. */
const grainDeviation = 2.2

/** 256 × 256 grain values, slightly smoothed, with a deviation of {@link grainDeviation} levels. */
function grainTile(seed: number): Float32Array {
  const chance = createSeededRandom(seed + 977)
  const raw = Float32Array.from({ length: 65536 }, () => chance.next() + chance.next() + chance.next() - 1.5)
  return Float32Array.from({ length: 65536 }, (_, i) => {
    const at = (dx: number, dy: number) => raw[(((i >> 8) + dy) & 255) * 256 + ((i + dx) & 255)] as number
    return 3.1 * (at(0, 0) + 0.45 * (at(1, 0) + at(0, 1) + at(-1, 0) + at(0, -1)))
  })
}

/** Distance of the floor's far edge above the subject's feet, in subject heights. */
const floorDepth = 0.16
/** Limits of the floor's far edge, in shares of the picture's height from the top. */
const farEdge = { highest: 0.3, lowest: 0.93 } as const

/** In shares of the picture's height from the top. */
export interface SubjectPosition {
  /** Feet or wheels. */
  bottom: number
  height: number
  width: number
}

/**
 * Adds a floor in place, so that feet or wheels do not float. It darkens towards the wall, and its
 * texture gets finer with distance.
 */
function addFloor(
  canvas: Canvas,
  { bottom, height }: Pick<SubjectPosition, 'bottom' | 'height'>,
  colour: LinearRgb,
  chance: SeededRandom,
): void {
  const edge = Math.min(farEdge.lowest, Math.max(farEdge.highest, bottom - floorDepth * height))
  const [shift, wall] = [
    chance.between(0, 50),
    { ...canvas, red: canvas.red.slice(), green: canvas.green.slice(), blue: canvas.blue.slice() },
  ]
  let i = 0
  paintPixels(canvas, (x, y, out) => {
    const own = [wall.red[i], wall.green[i], wall.blue[i++]] as number[]
    // Soft edge; the shading of the wall above the floor gives the other half of it.
    const share = smoothstep(edge - 0.004, edge + 0.004, y)
    const corner = 1 - 0.45 * Math.exp(-Math.abs(y - edge) / 0.035)
    const near = 1 / (0.25 + Math.max(0, y - edge))
    const mark = chance.fractal(2.2 * x * near + shift, 5 * near, 4)
    const light = (0.42 + 0.3 * smoothstep(edge, 1.05, y)) * (1 + 0.1 * mark)
    for (let c = 0; c < 3; c++) {
      out[c] = corner * ((own[c] as number) * (1 - share) + (colour[c] as number) * light * share)
    }
  })
}

const maxGrain = 2.5
/** Side of the measured part in pixels. */
const measuredSide = 640

function centredBox({ width, height }: Size, side: number): Box {
  const [wide, high] = [Math.min(width, side), Math.min(height, side)]
  return { x: (width - wide) >> 1, y: (height - high) >> 1, width: wide, height: high }
}

/** Strength of a photograph's grain relative to the usual one, 0 to 2.5; JPEG's blocks are none. */
export function relativeGrain(picture: Picture): number {
  const part = centredBox(picture, measuredSide)
  const relative = (255 * randomNoise(lumaOf(cropPicture(picture, part), 1))) / grainDeviation
  return Math.round(100 * Math.min(maxGrain, relative)) / 100
}
