import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, pool } from './shading.ts'

const dyes = ['#4a2c1d', '#1f2f4f', '#5b1f25', '#23402f'].map(lightOf)
const cream = lightOf('#dcc7a0')
const soga = lightOf('#a8703a')

/**
 * Cloth with a pattern after the batiks kawung and parang, wax-dyed: fine cracks, uneven dye, soft
 * folds.
 */
export const batik: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const dye = colourOf(brief, chance.pick(dyes))
  const accent = brief.wishes.colours[1] ?? mixed(soga, dye, 0.15)
  const scale = chance.between(0.13, 0.17)
  const kawung = chance.next() < 0.55
  const [ox, oy] = [chance.between(0, 20), chance.between(0, 20)]
  const fold = (x: number, y: number) =>
    chance.noise(1.9 * x + 0.7 * y + ox, 0.6 * y) + 0.5 * chance.noise(4.3 * x + 0.8 * y, 0.8 * y + oy)
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const bend = 0.012 * chance.noise(2 * x + ox, 2 * y)
    const [u, v] = [(x + bend + 7) / scale, (y + bend + 7) / scale]
    const [wax, middle] = kawung ? kawungAt(u, v) : parangAt(u, v)
    const crack = smoothstep(0.05, 0.0, Math.abs(chance.fractal(5 * x + ox, 5 * y + oy, 4))) * 0.3
    const uneven = 1 + 0.12 * chance.fractal(6 * x, 6 * y, 4)
    const thread = 1 + 0.05 * (chance.noise(150 * x, 20 * y) + chance.noise(20 * x, 150 * y))
    const slope = (fold(x + 0.015, y) - fold(x - 0.015, y)) / 0.03
    const light = Math.max(0.08, 0.26 + 0.95 * pool(x - 0.4 * side, y - 0.3, 0.68, 0.68) - 0.085 * towards * slope)
    for (let c = 0; c < 3; c++) {
      const plain = (dye[c] as number) * uneven
      const waxed = (cream[c] as number) * (1 - crack) + (dye[c] as number) * crack
      out[c] = (plain + (waxed - plain) * wax + ((accent[c] as number) - plain) * middle * (1 - wax)) * light * thread
    }
  })
  return defocus(canvas, 0.0042)
}

/**
 * Four petals around each crossing, with a seed in every petal: shares of wax and of the second
 * dye.
 */
function kawungAt(u: number, v: number): [number, number] {
  const [a, b] = [u - Math.floor(u) - 0.5, v - Math.floor(v) - 0.5]
  const [p, q] = [(Math.abs(a) + Math.abs(b)) * Math.SQRT1_2, (Math.abs(a) - Math.abs(b)) * Math.SQRT1_2]
  const petal = Math.hypot((p - 0.335) / 0.3, q / 0.155)
  const seed = Math.hypot((p - 0.335) / 0.075, q / 0.03)
  const dot = Math.min(Math.hypot(a, b), Math.hypot(Math.abs(a) - 0.5, b), Math.hypot(a, Math.abs(b) - 0.5))
  const wax = smoothstep(1, 0.9, petal) * (1 - smoothstep(1.3, 0.9, seed))
  return [Math.max(wax, smoothstep(0.045, 0.03, dot)), smoothstep(1.24, 1.16, petal)]
}

/** Slanting rows of linked S shapes between narrow bands. */
function parangAt(u: number, v: number): [number, number] {
  const [along, across] = [(u + v) * Math.SQRT1_2, (u - v) * Math.SQRT1_2]
  const row = across - Math.floor(across)
  const phase = along * 1.5 + 0.32 * Math.sin(2 * Math.PI * row)
  const t = phase - Math.floor(phase)
  const band = Math.min(row, 1 - row)
  const knife = smoothstep(0.1, 0.14, band) * smoothstep(0.2, 0.26, t) * smoothstep(0.84, 0.78, t)
  const line = smoothstep(0.035, 0.02, Math.abs(band - 0.055))
  const eye = smoothstep(0.1, 0.07, Math.hypot(row - 0.5, (t - 0.52) * 0.6))
  return [Math.max(knife * (1 - eye), line), Math.max(eye, smoothstep(0.1, 0.06, Math.abs(t - 0.02)))]
}
