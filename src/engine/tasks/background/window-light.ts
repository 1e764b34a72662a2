import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf } from './shading.ts'

const walls = ['#e4d5c3', '#d9cfc4', '#cdbfae', '#d7c4b4', '#c8ccc4'].map(lightOf)

/**
 * Sun through a window with blinds or leaves on a plastered wall; shadows get softer the farther
 * they fall.
 */
export const windowLight: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const wall = colourOf(brief, chance.pick(walls))
  const sun = createCanvas(width, height)
  const lean = (side < 0 ? 1 : -1) * chance.between(0.28, 0.5)
  const slats = chance.between(9, 13)
  const blinds = chance.next() < 0.6
  const [left, top] = [chance.between(-0.5, -0.34) - 0.12 * side, chance.between(-0.1, 0.1)]
  const [pane, tall] = [chance.between(0.34, 0.42), chance.between(0.4, 0.5)]
  paint(sun, (x, y, out) => {
    const [u, v] = [x - left + 0.12 * y, y - top + lean * x]
    const column = u / pane
    const row = v / tall
    const open =
      (column > 0 && column < 2 ? smoothstep(0.02, 0.06, column % 1) * smoothstep(1, 0.96, column % 1) : 0) *
      (row > 0 && row < 2 ? smoothstep(0.02, 0.05, row % 1) * smoothstep(1, 0.97, row % 1) : 0)
    const phase = (v * slats * 2) % 1
    const slat = blinds ? smoothstep(0.16, 0.3, phase) * smoothstep(0.96, 0.82, phase) : 1
    const branch = chance.fractal(2.1 * u + 7, 2.4 * v, 3) + 0.35 * chance.noise(9 * u + 3 * v, 15 * v - 8 * u)
    const leaf = blinds ? 1 : smoothstep(-0.16, 0.02, branch)
    out[0] = open * slat * leaf
  })
  const soft = defocus(sun, 0.011, 0)
  const warm = 1 + 0.35 * wishes.warmth
  const canvas = createCanvas(width, height)
  let i = 0
  paint(canvas, (x, y, out) => {
    const lit = (soft.red[i++] as number) * (1.25 - 0.25 * y)
    const plaster = 1 + 0.05 * chance.fractal(5 * x, 5 * y, 4) + 0.02 * chance.noise(70 * x, 70 * y)
    const shade = (0.3 - 0.1 * wishes.drama) * (1 - 0.28 * side * x - 0.16 * y)
    out[0] = wall[0] * plaster * (shade * 0.9 + 1.15 * lit * warm)
    out[1] = wall[1] * plaster * (shade + 0.95 * lit)
    out[2] = wall[2] * plaster * (shade * 1.14 + (0.68 * lit) / warm)
  })
  return canvas
}
