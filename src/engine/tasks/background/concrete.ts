import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, pool } from './shading.ts'

const own = lightOf('#9a9894')

/**
 * Cast concrete: stains, pores, joints of the panels and the holes of their anchors, under grazing
 * light.
 */
export const concrete: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const tone = colourOf(brief, own)
  const [jointX, jointY] = [chance.between(0.5, 0.75), chance.between(0.55, 0.9)]
  const [shiftX, shiftY] = [chance.between(0, 1), chance.between(0.1, 0.6)]
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const stain = chance.fractal(1.4 * x + 5, 1.4 * y, 5) + 0.5 * chance.fractal(5 * x, 0.9 * y, 3)
    const fine = chance.noise(46 * x, 46 * y) + 0.7 * chance.noise(110 * x, 110 * y)
    const pore = Math.max(0, chance.noise(34 * x + 3, 34 * y) - 0.74) * 3
    const [u, v] = [((x + shiftX + 9) / jointX) % 1, ((y + shiftY) / jointY) % 1]
    const joint =
      1 -
      0.5 * smoothstep(0.006, 0.002, Math.min(u, 1 - u) * jointX) -
      0.5 * smoothstep(0.006, 0.002, Math.min(v, 1 - v) * jointY)
    const hole = Math.hypot((Math.abs(u - 0.5) - 0.3) * jointX, (Math.abs(v - 0.5) - 0.3) * jointY)
    const anchor =
      1 - 0.7 * smoothstep(0.017, 0.012, hole) + 0.1 * smoothstep(0.02, 0.017, hole) * smoothstep(0.013, 0.016, hole)
    const light = 0.24 + 1.35 * pool(x - 0.5 * towards, y - 0.22, 0.66, 0.62)
    const shade = light * (1 + 0.24 * stain + 0.035 * fine - 0.5 * pore) * joint * anchor
    for (let c = 0; c < 3; c++) out[c] = (tone[c] as number) * Math.max(0, shade) * (c === 2 ? 1 - 0.03 * stain : 1)
  })
  return canvas
}
