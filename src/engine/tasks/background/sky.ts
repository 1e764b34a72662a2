import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed } from './shading.ts'

const zenith = lightOf('#2f6fb5')
const low = lightOf('#bcd9ee')

/** A summer sky with cumulus clouds, brighter where they face the sun and grey below. */
export const sky: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const top = colourOf(brief, zenith)
  const bottom = mixed(top, low, 0.85)
  const [ox, oy] = [chance.between(0, 90), chance.between(0, 90)]
  const amount = chance.between(-0.06, 0.1)
  const density = (x: number, y: number) => {
    const flat = 1.25 + 0.9 * y
    const [u, v] = [x * 1.5 + ox, y * flat * 1.7 + oy]
    const swell = 0.35 * chance.fractal(2 * u + 3, 2 * v, 3)
    return chance.fractal(u + swell, v + 0.7 * swell, 6) + amount + 0.1 * (y - 0.4)
  }
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const here = density(x, y)
    const cover = smoothstep(0.0, 0.26, here)
    const sunward = cover > 0 ? density(x + 0.035 * towards, y - 0.05) : 0
    const lit = 0.62 + 0.5 * smoothstep(0.12, -0.16, sunward - here) - 0.2 * smoothstep(0.15, 0.55, here)
    const air = smoothstep(-0.1, 1, y)
    for (let c = 0; c < 3; c++) {
      const blue = (top[c] as number) + ((bottom[c] as number) - (top[c] as number)) * air
      const cloud = Math.min(1.05, lit * ([1, 0.985, 0.97][c] as number) + (c === 2 ? 0.05 : 0))
      out[c] = blue * 1.1 + (cloud - blue * 1.1) * cover
    }
  })
  return canvas
}
