import { smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur, feather, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { createSeededRandom, whiteNoise } from '#engine/image/random.ts'
import { pictureOf } from '#engine/image/tones.ts'
import { alongEdges, detectStrands, drawLines } from '#engine/tasks/cartoon/lines.ts'
import {
  removeFineTexture,
  type Style,
  type StyleInput,
  scaleSaturation,
  stretchContrast,
} from '#engine/tasks/cartoon/style.ts'

/** Pen and brush: black shapes on warm paper, midtones hatched (XDoG, Winnemöller et al. 2012). */
export const ink: Style = (input) => {
  const { strength } = input
  const luma = copyPlane(input.drawing)
  stretchContrast(luma)
  const brush = drawLines(
    { ...input, drawing: luma },
    { sigma: 1 + 0.6 * strength, along: 5, emphasis: 21, threshold: 0.42 + 0.12 * strength, slope: 14 },
  )
  return onPaper(input, luma.data, brush.data)
}

function onPaper({ tones, unit, lines, features }: StyleInput, light: Float32Array, brush: Float32Array): Picture {
  const { width, height } = tones.luma
  const out = { luma: createPlane(width, height), blue: createPlane(width, height), red: createPlane(width, height) }
  const fibre = whiteNoise(width, height, 7)
  const gap = Math.max(3.2, 5.2 * unit)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const level = light[i] as number
      const wave = Math.abs((((x + y * 0.9) / gap + 0.09 * Math.sin(y / (6 * gap))) % 1) - 0.5) * 2
      const shade = (1 - (features.data[i] as number)) * (0.52 - level) * 1.5
      const stroke = shade > 0.04 ? smoothstep(1 - shade - 0.16, 1 - shade + 0.1, wave) : 0
      const black = Math.max(lines || level < 0.3 ? (brush[i] as number) : 0, 0.88 * stroke)
      const paper = 0.955 + 0.012 * (fibre.data[i] as number)
      out.luma.data[i] = paper + (0.075 - paper) * black
      out.blue.data[i] = -0.022 * (1 - black)
      out.red.data[i] = 0.01 * (1 - black)
    }
  }
  return pictureOf(out)
}

/** Width of the unfinished border of the sheet, in thousandths of the longer side. */
const unfinished = 170
/** Distance around a face that is always finished, in thousandths of the longer side. */
const finishedAround = 160

/**
 * Graphite: contours, strands of hair, and strokes that follow the form (line integral convolution
 * of noise; Mao et al. 2001), fading out towards the sheet's border.
 */
export const pencil: Style = (input) => {
  const { unit, strength, flow, features } = input
  const luma = copyPlane(input.drawing)
  stretchContrast(luma)
  const { width, height } = luma
  const contours = drawLines(
    { ...input, drawing: luma },
    { sigma: 0.9, along: 3.5, emphasis: 30, threshold: 0.3, slope: 5 },
  )
  const grain = whiteNoise(width, height, 23)
  const strokes = alongEdges(grain, flow, Math.max(3, 7 * unit), { from: -1, to: 1, stride: 1.5 })
  const strands = input.lines ? detectStrands(input) : createPlane(width, height)
  const soft = boxBlur(luma, Math.max(1, Math.round(1.5 * unit)))
  const near = boxBlur(input.face, Math.round(finishedAround * unit))
  const light = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const keep = features.data[i] as number
      const tone = (1 - keep) * (soft.data[i] as number) + keep * (luma.data[i] as number)
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) / unit
      const sketched = input.rim ? smoothstep(-20, unfinished, inside + 600 * (near.data[i] as number)) : 1
      const dark = (1 - smoothstep(0.03, 0.85, tone)) * (0.62 + 0.3 * strength) * (0.15 + 0.85 * sketched)
      const texture = 2.8 * (strokes.data[i] as number) + 0.14 * (grain.data[i] as number)
      const hatched = dark * (1 + (1 - 0.7 * keep) * texture)
      const rough = 0.9 + 0.3 * (grain.data[i] as number)
      const contour = input.lines ? 0.85 * (0.35 + 0.65 * sketched) * (contours.data[i] as number) : 0
      const strand = 0.5 * sketched * (strands.data[i] as number)
      const lead = Math.min(0.94, Math.max(hatched, rough * Math.max(contour, strand)))
      light.data[i] = 0.975 + 0.01 * (grain.data[i] as number) - 0.92 * Math.max(0, lead)
    }
  }
  return pictureOf({ luma: light, blue: createPlane(width, height, -0.006), red: createPlane(width, height, 0.002) })
}

/** Lightness limits of the overlaid washes, from light to dark. */
const glazes = [0.93, 0.72, 0.5, 0.28] as const
/** Light absorbed by each wash. */
const pigment = 0.15
/** White border of the paper and its unevenness, in thousandths of the longer side. */
const rim = { white: 40, uneven: 60, least: 12 } as const
/** Distance around a face that is always painted, in thousandths of the longer side. */
const hairReach = 110

/**
 * Watercolour (Curtis et al. 1997; Bousseau et al. 2006; Montesdeoca et al. 2017): transparent
 * glazes whose pigment gathers at wet edges, settles in the paper's grain and flows with the water,
 * over a pencil drawing.
 */
export const watercolour: Style = (input) => {
  const { unit, strength, features } = input
  const tones = removeFineTexture(input, 16 + 14 * strength, 0.14 + 0.12 * strength)
  stretchContrast(tones.luma)
  scaleSaturation(tones, 1.5 + 0.3 * strength)
  const { luma } = tones
  const { width, height } = luma
  const wet = waterFlow(width, height, unit)
  const grain = boxBlur(whiteNoise(width, height, 17), Math.max(1, Math.round(1.4 * unit)))
  const painted = input.rim ? paintedArea(wet, input.face, unit) : createPlane(width, height, 1)
  const washes = glazedLightness(input, luma, wet)
  const edges = gatheredPigment(washes, painted, unit)
  const drawing = input.lines ? pencilLines(input) : createPlane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    const keep = features.data[i] as number
    const wash = washes.data[i] as number
    const flow = (0.34 * (wet.data[i] as number) + 0.5 * (grain.data[i] as number)) * (1 - 0.55 * keep)
    // Density 1 leaves the wash unchanged (Bousseau's darkening C' = C − (C − C²)(d − 1)).
    const density = 1 + flow * (0.55 + 0.45 * strength) + 3.2 * (edges.data[i] as number) * (1 - 0.5 * keep)
    const dense = wash - (wash - wash * wash) * (density - 1)
    const cover = painted.data[i] as number
    const line = 0.5 * (drawing.data[i] as number) * (0.75 + 0.5 * (grain.data[i] as number))
    const paper = 0.975 + 0.02 * (grain.data[i] as number)
    const laid = paper + cover * (Math.min(dense, 0.985) - paper)
    luma.data[i] = laid * (1 - Math.max(0, line))
    const colour = cover * (0.75 + 0.35 * density) * (1 - smoothstep(0.86, 1, dense)) * (1 - 0.6 * line)
    tones.blue.data[i] = (tones.blue.data[i] as number) * colour - 0.008 * (1 - cover)
    tones.red.data[i] = (tones.red.data[i] as number) * colour + 0.003 * (1 - cover)
  }
  return pictureOf(tones)
}

/** Painted area, 0 to 1, with an uneven white border. */
function paintedArea(wet: Plane, face: Plane, unit: number): Plane {
  const { width, height } = wet
  const around = boxBlur(face, Math.round(hairReach * unit))
  const cover = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const [aside, along] = [Math.min(x, width - 1 - x), Math.min(y, height - 1 - y)]
      // Brush strokes turn in the corners, so these are rounded.
      const near = 60 * unit
      const corner =
        aside < near && along < near ? near - Math.hypot(near - aside, near - along) : Math.min(aside, along)
      const inside = corner / unit - Math.max(rim.least, rim.white + rim.uneven * (wet.data[i] as number))
      const head = smoothstep(0.01, 0.05, around.data[i] as number) * 2 * (rim.white + rim.uneven)
      cover.data[i] = smoothstep(-1.5, 1.5, inside + head)
    }
  }
  return cover
}

/** Distance of the lightest skin to white paper, which would look like a hole in a face. */
const skinTint = 0.1

function glazedLightness({ strength, face, features, drawing }: StyleInput, luma: Plane, wet: Plane): Plane {
  const out = createPlane(luma.width, luma.height)
  const soft = 0.05 - 0.025 * strength
  for (let i = 0; i < out.data.length; i++) {
    const level = Math.min(1, Math.max(0, luma.data[i] as number))
    const met = level + 0.035 * (wet.data[i] as number)
    let light = 0.99 - skinTint * (face.data[i] as number)
    for (const limit of glazes) light -= pigment * (1 - smoothstep(limit - soft, limit + soft, met))
    const shown = 0.36 + 0.63 * level ** 0.9
    const even = light + 0.35 * (shown - light)
    const keep = features.data[i] as number
    out.data[i] = even + keep * (0.12 + 0.88 * Math.min(1, Math.max(0, drawing.data[i] as number)) - even)
  }
  return out
}

/** Gathered pigment, 0 to about 0.15: on the darker side of borders and at the end of paint. */
function gatheredPigment(washes: Plane, painted: Plane, unit: number): Plane {
  const around = feather(washes, 2.2 * unit)
  const wide = Math.max(2, 6 * unit)
  const paint = resizeSmooth(
    shrink(painted, Math.ceil(painted.width / wide), Math.ceil(painted.height / wide)),
    painted.width,
    painted.height,
  )
  const out = createPlane(washes.width, washes.height)
  for (let i = 0; i < out.data.length; i++) {
    const darker = (around.data[i] as number) - (washes.data[i] as number)
    const end = (painted.data[i] as number) * (1 - (paint.data[i] as number))
    out.data[i] = Math.min(0.16, Math.max(0, darker) * 2) + 0.3 * Math.min(0.5, end)
  }
  return out
}

/** Amount of water and pigment, about −1 to 1: smooth noise of medium turbulence. */
function waterFlow(width: number, height: number, unit: number): Plane {
  const step = Math.max(1, Math.floor(5 * unit))
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const chance = createSeededRandom(3)
  const wet = createPlane(across, down)
  const scale = step / (120 * unit)
  for (let i = 0; i < wet.data.length; i++) {
    wet.data[i] = 1.8 * chance.fractal(scale * (i % across), scale * Math.floor(i / across), 3)
  }
  return resizeSmooth(wet, width, height)
}

/** Keeps thin lines only: dark areas get paint instead of pencil. */
function pencilLines(input: StyleInput): Plane {
  const lines = drawLines(input, { sigma: 0.9, along: 4, emphasis: 20, threshold: 0.27, slope: 4 })
  const filled = boxBlur(lines, Math.max(2, Math.round(7 * input.unit)))
  for (let i = 0; i < lines.data.length; i++) {
    lines.data[i] = Math.max(0, (lines.data[i] as number) - 1.2 * (filled.data[i] as number))
  }
  return lines
}
