import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { defocus, glow } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, pool } from './shading.ts'

const high = lightOf('#3d4a78')
const middle = lightOf('#c9718a')
const fire = lightOf('#ff9a4d')

/**
 * The sun low above the sea: streaks of cloud lit from below, and its path of glitter on the water.
 */
export const sunset: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const horizon = chance.between(0.62, 0.7)
  const sunX = (side < 0 ? -1 : 1) * chance.between(0.12, 0.3)
  const sunY = horizon - chance.between(0.03, 0.09)
  const [upper, rose] = [high, colourOf(brief, middle)]
  paint(canvas, (x, y, out) => {
    if (y < horizon) {
      const up = (horizon - y) / horizon
      const base = mixed(mixed(fire, rose, smoothstep(0.02, 0.4, up)), upper, smoothstep(0.25, 1, up))
      const streak = chance.fractal(1.3 * x + 3, 7 * y + 0.8 * chance.noise(2 * x, 3 * y), 5)
      const cloud = smoothstep(0.02, 0.4, streak) * smoothstep(0, 0.16, up)
      const warm = Math.exp(-Math.abs(up - 0.25) * 3)
      const away = Math.hypot(x - sunX, y - sunY)
      const sun = 14 * smoothstep(0.034, 0.03, away) + 0.9 * Math.exp(-away * 7) + 0.5 * Math.exp(-away * 2.4)
      for (let c = 0; c < 3; c++) {
        const lit = (fire[c] as number) * (0.35 + 0.9 * warm) + 0.1 * (upper[c] as number)
        out[c] = ((base[c] as number) * 0.75 + (lit - (base[c] as number) * 0.75) * cloud * 0.75) * (0.75 + 0.35 * warm)
        out[c] = (out[c] as number) + sun * ([1, 0.62, 0.3][c] as number)
      }
    } else {
      const down = (y - horizon) / (1 - horizon)
      const scale = 1 / (0.06 + down)
      const wave = chance.fractal(2.2 * x * scale, 18 * Math.log(0.06 + down) + 0.3 * x, 4)
      const mirror = mixed(mixed(fire, rose, smoothstep(0, 0.35, down)), upper, smoothstep(0.1, 1, down))
      const path = pool(x - sunX, 0, 0.05 + 0.2 * down, 1)
      const glint = path * smoothstep(0.02, 0.42, wave + 0.16 * path) * (3.4 - 2.2 * down)
      for (let c = 0; c < 3; c++) {
        out[c] = (mirror[c] as number) * (0.3 + 0.16 * wave) + glint * ([1, 0.6, 0.3][c] as number)
      }
    }
  })
  glow(canvas, 0.06, 0.14)
  return defocus(canvas, 0.0045)
}
