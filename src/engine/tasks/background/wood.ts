import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, pool } from './shading.ts'

const woods = ['#a5744a', '#8a5a37', '#c19a6b', '#6d4a33', '#b58a63'].map(lightOf)

/**
 * A wall of planks: each with its own tone, growth rings along it, pores and a knot now and then;
 * gaps lie in shadow.
 */
export const wood: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const tone = colourOf(brief, chance.pick(woods))
  const across = chance.between(0.16, 0.22)
  const upright = chance.next() < 0.6
  paint(canvas, (x, y, out) => {
    const [u, v] = upright ? [x, y] : [y, x]
    const plank = Math.floor(u / across + 100)
    const inside = u / across + 100 - plank
    const own = chance.cell(plank, 7)
    const along = v * 0.7 + 13 * own
    const knotAway = Math.hypot((inside - 0.3 - 0.4 * own) * 1.5, ((v + own) % 1.1) - 0.5) * 3.2
    const bend = 0.22 * chance.fractal(1.6 * inside + 31 * own, 1.5 * along, 3) + 0.18 * Math.exp(-(knotAway ** 2) * 6)
    const rings = 0.5 + 0.5 * Math.sin((inside + bend) * (16 + 12 * own) + 40 * own)
    const fibre = chance.noise(95 * inside + 60 * own, 4.5 * along) + 0.6 * chance.noise(210 * inside, 11 * along)
    const knot = smoothstep(0.34, 0.12, knotAway) * (own > 0.55 ? 1 : 0)
    const shade = (0.66 + 0.3 * own) * (0.82 + 0.26 * rings ** 1.6) * (1 + 0.11 * fibre) * (1 - 0.5 * knot)
    const gap = smoothstep(0.006, 0.024, inside) * smoothstep(1, 0.978, inside)
    const bevel = 1 + 0.12 * (smoothstep(0.07, 0.02, inside) - smoothstep(0.93, 0.98, inside)) * (side < 0 ? 1 : -1)
    const light = (0.26 + 1.2 * pool(x - 0.42 * side, y - 0.34, 0.68, 0.68)) * (0.06 + 0.94 * gap) * bevel
    out[0] = tone[0] * shade * light * 1.05
    out[1] = tone[1] * shade ** 1.12 * light
    out[2] = tone[2] * shade ** 1.25 * light * 0.95
  })
  return canvas
}
