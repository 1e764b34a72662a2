import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, createCanvas, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import type { Scene } from './scene.ts'
import { lightOf, mixed, scaled } from './shading.ts'

const air = lightOf('#cfe6f5')
const blue = lightOf('#5aa5dc')
const deep = lightOf('#1f7fa3')
const shallow = lightOf('#6fc9c4')
const sand = lightOf('#e2cda6')
const wet = lightOf('#b79d78')

/** A bright beach out of focus: sky, sea that turns turquoise towards the shore, foam, and sand. */
export const beach: Scene = ({ width, height, chance, wishes }) => {
  const canvas = createCanvas(width, height)
  const horizon = chance.between(0.34, 0.42)
  const shore = horizon + chance.between(0.2, 0.26)
  const slant = chance.between(-0.12, 0.12)
  paint(canvas, (x, y, out) => {
    const edge = shore + slant * x + 0.018 * chance.fractal(2.4 * x, 5, 3)
    if (y < horizon) {
      const cloud = smoothstep(0.05, 0.5, chance.fractal(1.6 * x + 8, 5 * y, 5)) * 0.8
      const base = mixed(blue, air, smoothstep(-0.1, 1, y / horizon))
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (1 - cloud) + 0.97 * cloud
    } else if (y < edge) {
      const near = (y - horizon) / (edge - horizon)
      const wave = chance.fractal((2.5 * x) / (0.1 + near), 26 * Math.sqrt(near) + 0.5 * x, 3)
      const base = mixed(deep, shallow, smoothstep(0.1, 0.95, near))
      const foam =
        smoothstep(0.8, 1, near + 0.14 * wave) + 0.6 * smoothstep(0.24, 0.5, wave) * smoothstep(0.4, 0.9, near)
      for (let c = 0; c < 3; c++)
        out[c] = (base[c] as number) * (0.85 + 0.35 * wave) * (1 - Math.min(1, foam)) + 0.93 * Math.min(1, foam)
    } else {
      const away = y - edge
      const base = mixed(wet, sand, smoothstep(0.015, 0.11, away))
      const grain = 1 + 0.16 * chance.fractal(5 * x, 15 * y, 4) + 0.06 * chance.noise(60 * x, 60 * y)
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * grain * (0.84 + 0.18 * y)
    }
  })
  const soft = defocus(canvas, 0.011 + 0.006 * wishes.blur)
  const wide = (0.5 * width) / height
  for (let i = 0; i < 140; i++) {
    const glint = scaled([1, 0.97, 0.9], 0.07 * chance.between(0.1, 1) ** 2)
    addBokeh(
      soft,
      chance.between(-wide, wide),
      horizon + 0.1 * chance.next() ** 1.8 + 0.012,
      chance.between(0.003, 0.007),
      glint,
    )
  }
  return soft
}
