import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, pool } from './shading.ts'

const velvets = ['#6a1f2b', '#1f3a4a', '#24402f', '#43324f', '#7a5a34'].map(lightOf)

/**
 * A heavy velvet curtain: deep folds that run together towards the top, brightest at their turning
 * edges as velvet is.
 */
export const curtain: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const velvet = colourOf(brief, chance.pick(velvets))
  const sheen = mixed(velvet, [1, 0.95, 0.9], 0.22)
  const folds = chance.between(4.6, 6.4)
  const offset = chance.between(0, 50)
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const sway = 0.07 * chance.noise(1.3 * x + offset, 0.7 * y) + 0.02 * chance.noise(3.1 * x, 1.6 * y + offset)
    const phase = folds * (x + sway * (0.4 + 0.6 * y)) + 0.8 * chance.noise(0.9 * x + 4, offset)
    const wave =
      Math.sin(2 * Math.PI * phase) * (0.7 + 0.5 * chance.noise(2.2 * x + 8, 0.5 * y)) +
      0.5 * Math.sin(2 * Math.PI * phase * 1.63 + 2.4 * chance.noise(1.2 * x, 0.6 * y))
    const slope = Math.cos(2 * Math.PI * phase) * towards
    const deep = 0.26 + 0.74 / (1 + Math.exp(-1.7 * wave))
    const rim = Math.max(0, 0.6 - Math.abs(wave - 0.1)) * 0.6
    const light = (0.3 + 0.9 * pool(x - 0.35 * side, y - 0.32, 0.75, 0.8)) * deep * (1 - 0.3 * slope)
    const pile = 1 + 0.06 * chance.fractal(16 * x, 5 * y, 3) + 0.04 * chance.noise(110 * x, 70 * y)
    for (let c = 0; c < 3; c++) {
      out[c] = Math.max(0, ((velvet[c] as number) * light * 1.5 + (sheen[c] as number) * rim * light * 0.5) * pile)
    }
  })
  return canvas
}
