import { smoothstep } from '#engine/image/numbers.ts'
import { createCanvas, defocus, paintCanvas, paintPixels } from './canvas.ts'
import { colourOf, lampFalloff, lightOf, mixColours, type Scene } from './scene.ts'

const papers = ['#b9b4ac', '#8f9aa5', '#c9b8a4', '#a8b5a2', '#5d646e', '#d5cfc6'].map(lightOf)

export const studio: Scene = (brief) => {
  const { chance, side, wishes } = brief
  const paper = colourOf(brief, chance.pick(papers))
  const [middle, size] = [0.3 * side + chance.between(-0.06, 0.06), chance.between(0.4, 0.52)]
  const dark = 0.13 - 0.08 * wishes.drama
  const bend = chance.between(0.76, 0.86)
  return paintCanvas(brief, (x, y, out) => {
    const wall = dark + (1.7 - dark) * lampFalloff(x - middle, y - 0.4, size, size)
    const floor = 0.22 + 0.8 * lampFalloff(x - 0.5 * middle, y - 0.98, 0.7, 0.3)
    const curve = smoothstep(bend - 0.16, bend + 0.1, y)
    const mottled = 1 + 0.012 * chance.fractal(3 * x, 3 * y, 3) + 0.008 * chance.noise(60 * x, 60 * y)
    const light = (wall * (1 - curve) + (0.45 * wall + 0.6 * floor) * curve) * mottled
    for (let c = 0; c < 3; c++) out[c] = (paper[c] as number) * light * (c === 2 ? 1.02 - 0.04 * wall : 1)
  })
}

const walls = ['#e4d5c3', '#d9cfc4', '#cdbfae', '#d7c4b4', '#c8ccc4'].map(lightOf)

export const windowLight: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const wall = colourOf(brief, chance.pick(walls))
  const sun = createCanvas(width, height)
  const lean = (side < 0 ? 1 : -1) * chance.between(0.28, 0.5)
  const slats = chance.between(9, 13)
  const blinds = chance.next() < 0.6
  const [left, top] = [chance.between(-0.5, -0.34) - 0.12 * side, chance.between(-0.1, 0.1)]
  const [pane, tall] = [chance.between(0.34, 0.42), chance.between(0.4, 0.5)]
  paintPixels(sun, (x, y, out) => {
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
  paintPixels(canvas, (x, y, out) => {
    const lit = (soft.red[i++] as number) * (1.25 - 0.25 * y)
    const plaster = 1 + 0.05 * chance.fractal(5 * x, 5 * y, 4) + 0.02 * chance.noise(70 * x, 70 * y)
    const shade = (0.3 - 0.1 * wishes.drama) * (1 - 0.28 * side * x - 0.16 * y)
    out[0] = wall[0] * plaster * (shade * 0.9 + 1.15 * lit * warm)
    out[1] = wall[1] * plaster * (shade + 0.95 * lit)
    out[2] = wall[2] * plaster * (shade * 1.14 + (0.68 * lit) / warm)
  })
  return canvas
}

const dyes = ['#4a2c1d', '#1f2f4f', '#5b1f25', '#23402f'].map(lightOf)
const cream = lightOf('#dcc7a0')
const soga = lightOf('#a8703a')

/** Kawung or parang pattern, wax-dyed: fine cracks, uneven dye, soft folds. */
export const batik: Scene = (brief) => {
  const { chance, side } = brief
  const dye = colourOf(brief, chance.pick(dyes))
  const accent = brief.wishes.colours[1] ?? mixColours(soga, dye, 0.15)
  const scale = chance.between(0.13, 0.17)
  const kawung = chance.next() < 0.55
  const [ox, oy] = [chance.between(0, 20), chance.between(0, 20)]
  const fold = (x: number, y: number) =>
    chance.noise(1.9 * x + 0.7 * y + ox, 0.6 * y) + 0.5 * chance.noise(4.3 * x + 0.8 * y, 0.8 * y + oy)
  const towards = side < 0 ? -1 : 1
  const canvas = paintCanvas(brief, (x, y, out) => {
    const bend = 0.012 * chance.noise(2 * x + ox, 2 * y)
    const [u, v] = [(x + bend + 7) / scale, (y + bend + 7) / scale]
    const [wax, middle] = kawung ? kawungAt(u, v) : parangAt(u, v)
    const crack = smoothstep(0.05, 0.0, Math.abs(chance.fractal(5 * x + ox, 5 * y + oy, 4))) * 0.3
    const uneven = 1 + 0.12 * chance.fractal(6 * x, 6 * y, 4)
    const thread = 1 + 0.05 * (chance.noise(150 * x, 20 * y) + chance.noise(20 * x, 150 * y))
    const slope = (fold(x + 0.015, y) - fold(x - 0.015, y)) / 0.03
    const light = Math.max(
      0.08,
      0.26 + 0.95 * lampFalloff(x - 0.4 * side, y - 0.3, 0.68, 0.68) - 0.085 * towards * slope,
    )
    for (let c = 0; c < 3; c++) {
      const plain = (dye[c] as number) * uneven
      const waxed = (cream[c] as number) * (1 - crack) + (dye[c] as number) * crack
      out[c] = (plain + (waxed - plain) * wax + ((accent[c] as number) - plain) * middle * (1 - wax)) * light * thread
    }
  })
  return defocus(canvas, 0.0042)
}

/** Petals around each crossing, each with a seed. Returns shares of wax and second dye. */
function kawungAt(u: number, v: number): [number, number] {
  const [a, b] = [u - Math.floor(u) - 0.5, v - Math.floor(v) - 0.5]
  const [p, q] = [(Math.abs(a) + Math.abs(b)) * Math.SQRT1_2, (Math.abs(a) - Math.abs(b)) * Math.SQRT1_2]
  const petal = Math.hypot((p - 0.335) / 0.3, q / 0.155)
  const seed = Math.hypot((p - 0.335) / 0.075, q / 0.03)
  const dot = Math.min(Math.hypot(a, b), Math.hypot(Math.abs(a) - 0.5, b), Math.hypot(a, Math.abs(b) - 0.5))
  const wax = smoothstep(1, 0.9, petal) * (1 - smoothstep(1.3, 0.9, seed))
  return [Math.max(wax, smoothstep(0.045, 0.03, dot)), smoothstep(1.24, 1.16, petal)]
}

/** Parang: diagonal rows of linked S shapes between narrow bands. */
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
