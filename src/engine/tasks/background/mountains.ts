import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, scaled } from './shading.ts'

const forest = lightOf('#2c4f3a')
const morning = lightOf('#ffd0a0')
const noon = lightOf('#cfe0ea')
const above = lightOf('#7fa6c9')

/**
 * Ridges one behind the other, each paler and bluer by the air in front of it, with mist in the
 * valleys.
 */
export const mountains: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const near = colourOf(brief, forest)
  const haze = wishes.time === 'day' || wishes.warmth < 0 ? noon : mixed(morning, noon, chance.between(0, 0.25))
  const count = 6
  const ridges = Array.from({ length: count }, (_, i) => ({
    base: 0.34 + (0.56 * (i + 0.4)) / count,
    tall: 0.09 + 0.035 * (i % 3),
    shift: chance.between(0, 60),
    scale: 1.1 + 0.35 * (count - i),
  }))
  /** Near ridges show the tops of their trees against what lies behind. */
  const crest = ({ base, tall, shift, scale }: (typeof ridges)[number], x: number, near: number) => {
    const trees = near * (0.6 + 0.4 * chance.noise(7 * x + shift, shift)) * Math.abs(chance.fractal(95 * x, shift, 2))
    return base - tall * (0.8 * chance.fractal(scale * x + shift, shift, 5) + 0.35) - 0.03 * trees
  }
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const sun = Math.exp(-Math.hypot(x - 0.35 * towards, y - 0.3) * 2.2)
    const cloud = 0.25 * smoothstep(0.05, 0.5, chance.fractal(1.2 * x + 3, 4 * y, 4))
    const sky = mixed(above, haze, smoothstep(0, 0.48, y))
    for (let c = 0; c < 3; c++) out[c] = (sky[c] as number) * (0.85 + 0.75 * sun) * (1 - cloud) + 0.95 * cloud
    for (let i = 0; i < count; i++) {
      const ridge = ridges[i] as (typeof ridges)[number]
      const depth = (i + 0.6) / count
      const top = crest(ridge, x, smoothstep(0.55, 1, depth))
      const cover = smoothstep(top - 0.0015, top + 0.0015, y)
      if (cover === 0) continue
      const mist = smoothstep(0, 0.16, y - top) * 0.5 * (1 - depth)
      // Crowns, and the folds of the slopes that the light from the side shows.
      const fold = chance.fractal(5 * x + 3 * towards * y + 9 * i, 4 * y, 3)
      const crowns = chance.fractal(44 * x + 9 * i, 60 * y, 3)
      const trees = 1 + 0.55 * depth * crowns + (0.12 + 0.4 * depth) * fold
      const body = mixed(haze, scaled(near, trees * (0.55 + 0.7 * sun)), 1 - (1 - depth) ** 1.7)
      const shown = mixed(body, haze, Math.max(0, mist))
      for (let c = 0; c < 3; c++) out[c] = (out[c] as number) + ((shown[c] as number) - (out[c] as number)) * cover
    }
  })
  return defocus(canvas, 0.0035 + 0.004 * Math.max(0, wishes.blur))
}
