import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, pool } from './shading.ts'

const cloths = ['#d8cab4', '#cbbda9', '#b9ab97', '#c3c6bd', '#d9d2c7'].map(lightOf)

/**
 * Hung linen: threads of uneven thickness both ways, soft folds whose slopes face the light or turn
 * away from it.
 */
export const linen: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const cloth = colourOf(brief, chance.pick(cloths))
  const depth = 0.05 + 0.02 * wishes.drama
  const offset = chance.between(0, 50)
  const fold = (x: number, y: number) => {
    const sway = 0.3 * chance.noise(0.7 * x + offset, 0.6 * y)
    return chance.noise(2.3 * (x + sway) + offset, 0.45 * y) + 0.5 * chance.noise(4.9 * (x + sway), 0.7 * y + offset)
  }
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const slope = (fold(x + 0.012, y) - fold(x - 0.012, y)) / 0.024
    const weave = chance.noise(150 * x, 14 * y) + chance.noise(14 * x, 150 * y) + 0.7 * chance.noise(190 * x, 190 * y)
    const slub = Math.max(0, chance.noise(8 * x, 120 * y) - 0.55) + Math.max(0, chance.noise(120 * x, 8 * y) - 0.55)
    const light = 0.34 + 0.8 * pool(x - 0.4 * side, y - 0.3, 0.7, 0.7) - towards * depth * slope * 1.4
    const shade = Math.max(0.06, light) * (1 + 0.075 * weave + 0.2 * slub)
    for (let c = 0; c < 3; c++) out[c] = (cloth[c] as number) * shade
  })
  return canvas
}
