import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { brightness, lightOf, mixed, pool, scaled } from './shading.ts'

const white = lightOf('#e9e6e1')
const grey = lightOf('#77746f')

/**
 * A polished slab: broad clouds, thick veins and fine ones across them, by warped ridged noise,
 * under a soft window reflection.
 */
export const marble: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const stone = colourOf(brief, white)
  const dark = brightness(stone) < 0.12
  const vein = dark ? mixed(scaled(stone, 4), lightOf('#d8c9a8'), 0.6) : mixed(grey, scaled(stone, 0.3), 0.4)
  const [ox, oy] = [chance.between(0, 40), chance.between(0, 40)]
  const turn = chance.between(0.4, 1)
  paint(canvas, (x, y, out) => {
    const [u, v] = [x + ox, y * 0.9 + oy]
    const warpX = chance.fractal(1.3 * u, 1.3 * v, 4)
    const warpY = chance.fractal(1.3 * u + 9, 1.3 * v + 4, 4)
    const along = u * turn + v + 0.55 * warpX
    const across = v * turn - u + 0.55 * warpY
    const cloud = 0.5 + 0.5 * chance.fractal(1.1 * along, 2.2 * across, 3)
    const thick = (1 - Math.min(1, 2.6 * Math.abs(chance.noise(0.6 * along, 1.7 * across)))) ** 9
    const fine = (1 - Math.min(1, 2.2 * Math.abs(chance.noise(1.5 * along + 5, 3.9 * across + 0.8 * warpX)))) ** 14
    const fade = 0.35 + 0.65 * Math.max(0, chance.noise(1.7 * u + 3, 1.7 * v))
    const share = Math.min(0.85, 1.15 * thick * fade + 0.6 * fine * fade + 0.34 * (1 - cloud) ** 2)
    const light = 0.36 + 0.95 * pool(x - 0.45 * side, y - 0.28, 0.72, 0.62)
    const gloss = 0.05 * pool(x - 0.45 * side - 0.25 * y, y - 0.2, 0.16, 0.9)
    for (let c = 0; c < 3; c++) {
      const base = (stone[c] as number) * (0.9 + 0.1 * cloud)
      out[c] = (base + ((vein[c] as number) - base) * share) * light + gloss
    }
  })
  return canvas
}
