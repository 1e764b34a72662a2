import type { Picture } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { smoothstep } from '#engine/image/ramp.ts'
import { whiteNoise } from '#engine/image/random.ts'
import { pictureOf } from '#engine/image/tones.ts'
import { drawLines } from '../lines.ts'
import type { Style, StyleInput } from '../style.ts'
import { copyPlane, stretch } from '../tone.ts'

/**
 * Pen and brush: black shapes and lines on warm paper, middle tones as parallel strokes (XDoG,
 * Winnemöller et al. 2012).
 */
export const ink: Style = (input) => {
  const { unit, strength } = input
  const luma = copyPlane(input.drawing)
  stretch(luma)
  const brush = drawLines(luma, input.flow, {
    sigma: Math.max(0.7, (1 + 0.6 * strength) * unit),
    along: Math.max(2, 5 * unit),
    emphasis: 21,
    threshold: 0.42 + 0.12 * strength,
    slope: 14,
    finer: input.face,
  })
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
