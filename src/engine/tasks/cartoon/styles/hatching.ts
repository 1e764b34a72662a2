import { smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Picture } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { whiteNoise } from '#engine/image/random.ts'
import { pictureOf } from '#engine/image/tones.ts'
import { alongEdges, detectStrands, drawLines } from '#engine/tasks/cartoon/lines.ts'
import { type Style, type StyleInput, stretchContrast } from '#engine/tasks/cartoon/style.ts'

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
