import { smoothstep } from '#engine/image/numbers.ts'
import {
  addBokeh,
  addBox,
  addEllipse,
  addGlow,
  addShape,
  createCanvas,
  defocus,
  type LinearRgb,
  paintCanvas,
  paintPixels,
} from './canvas.ts'
import { colourOf, lampFalloff, lightOf, luminance, mixColours, type Scene, scaleColour } from './scene.ts'

const wall = lightOf('#c3c7c9')
const daylight: LinearRgb = [1.9, 2.05, 2.2]
const dark = lightOf('#2b3036')
const oak = lightOf('#a88760')
const plant = lightOf('#3d6a3d')

export const office: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const paintwork = colourOf(brief, wall)
  const towards = side < 0 ? -1 : 1
  const vanish = { x: -towards * chance.between(0.02, 0.3), y: chance.between(0.37, 0.46) }
  const wide = (0.5 * width) / height
  const canvas = paintCanvas(brief, (x, y, out) => {
    const near = Math.abs(x - vanish.x) / (wide + 0.2)
    const ceiling = y < vanish.y - 0.5 * near - 0.05
    const floor = y > vanish.y + 0.55 * near + 0.12
    const light = 0.5 + 0.34 * smoothstep(-wide, wide, x * towards)
    const base = ceiling
      ? scaleColour(paintwork, 1.02)
      : floor
        ? mixColours(scaleColour(oak, 0.5), paintwork, 0.25)
        : scaleColour(paintwork, 0.72)
    for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * light
  })
  const [from, to] = [vanish.x + 0.08 * towards, towards * (wide + 0.05)]
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const panes = 5
  addShape(canvas, { left, right, top: 0, bottom: 1 }, daylight, (x, y) => {
    const along = (x - from) / (to - from)
    const open = 0.06 + 0.34 * along
    const pane = (along ** 0.7 * panes) % 1
    const frame = pane < 0.07 || Math.abs(y - vanish.y + 0.1 * open) < 0.008 ? 0.25 : 1
    const outside = 0.45 + 0.55 * smoothstep(vanish.y + 0.2 * open, vanish.y - 0.4 * open, y)
    return y > vanish.y - open && y < vanish.y + 0.8 * open ? frame * outside * 0.85 : 0
  })
  for (let row = 1; row <= 4; row++) {
    const near = row / 4
    for (const lane of [-1, 0.15]) {
      const x = vanish.x + lane * towards * near * 0.5
      const y = vanish.y - 0.08 - 0.36 * near ** 1.4
      addBox(canvas, x - 0.11 * near, y - 0.012 * near, x + 0.11 * near, y + 0.014 * near, [3.2, 3.1, 2.9])
    }
  }
  for (let i = 0; i < 12; i++) {
    const near = chance.between(0.25, 1)
    const x = chance.between(-wide, wide)
    const y = vanish.y + 0.1 + 0.26 * near
    addBox(canvas, x - 0.17 * near, y, x + 0.17 * near, y + 0.02, scaleColour(oak, 0.75))
    addBox(canvas, x - 0.15 * near, y + 0.02, x - 0.13 * near, y + 0.14 * near, dark)
    if (chance.next() < 0.75)
      addBox(
        canvas,
        x - 0.07 * near,
        y - 0.11 * near,
        x + 0.06 * near,
        y - 0.02,
        chance.next() < 0.4 ? [0.4, 0.55, 0.75] : dark,
      )
    if (chance.next() < 0.4)
      addEllipse(
        canvas,
        { x: x + 0.1 * near, y: y - 0.03, wide: 0.05 * near, high: 0.12 * near },
        scaleColour(dark, 1.6),
      )
  }
  for (let i = 0; i < (wishes.without.includes('plants') ? 0 : 5); i++) {
    const x = chance.between(-wide, wide)
    for (let k = 0; k < 14; k++) {
      const colour = scaleColour(plant, chance.between(0.4, 1.5))
      addEllipse(
        canvas,
        {
          x: x + chance.between(-0.06, 0.06),
          y: 0.5 + chance.between(-0.12, 0.1),
          wide: 0.045,
          high: 0.014,
          turn: chance.between(0, 3),
        },
        colour,
      )
    }
  }
  addGlow(canvas, 0.08, 0.16)
  const soft = defocus(canvas, 0.021 + 0.008 * wishes.blur)
  for (let i = 0; i < 9; i++) {
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0.12, 0.4),
      chance.between(0.014, 0.024),
      scaleColour([1, 0.93, 0.8], chance.between(0.04, 0.16)),
    )
  }
  return soft
}

const cafeWall = lightOf('#6b4a34')
const shelf = lightOf('#3a2618')
const jars = ['#c98b4a', '#8d5a3a', '#d9c7a4', '#7a8a64', '#a7482f', '#e6d8bf'].map(lightOf)
const pendant = lightOf('#ffc27a')

export const cafe: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const paintwork = colourOf(brief, cafeWall)
  const towards = side < 0 ? -1 : 1
  const wide = (0.5 * width) / height
  const canvas = paintCanvas(brief, (x, y, out) => {
    const light = 0.3 + 0.4 * smoothstep(-wide, wide, x * towards) + 0.16 * Math.exp(-(((y - 0.3) / 0.25) ** 2))
    const base = y > 0.72 ? mixColours(shelf, paintwork, 0.4) : paintwork
    for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * light
  })
  const window = towards * (wide - 0.12)
  addBox(canvas, window - 0.2, 0.06, window + 0.2, 0.62, [0.95, 0.98, 0.92])
  addBox(canvas, window - 0.006, 0.06, window + 0.006, 0.62, shelf)
  addBox(canvas, window - 0.2, 0.33, window + 0.2, 0.342, shelf)
  for (let row = 0; row < 3; row++) {
    const y = 0.3 + 0.13 * row
    const start = -towards * wide
    const end = window - towards * 0.26
    addBox(canvas, Math.min(start, end), y, Math.max(start, end), y + 0.014, shelf)
    for (let x = Math.min(start, end) + 0.02; x < Math.max(start, end) - 0.02; x += chance.between(0.03, 0.06)) {
      const high = chance.between(0.03, 0.085)
      if (chance.next() < 0.8)
        addBox(
          canvas,
          x,
          y - high,
          x + chance.between(0.018, 0.034),
          y,
          scaleColour(chance.pick(jars), chance.between(0.35, 1)),
        )
    }
  }
  addBox(canvas, -wide, 0.72, wide, 0.745, scaleColour(lightOf('#c79a66'), 0.7))
  for (let i = 0; i < 5; i++) {
    const x = chance.between(-wide, wide)
    addEllipse(canvas, { x, y: 0.68, wide: 0.03, high: 0.045 }, scaleColour(chance.pick(jars), 0.7))
  }
  addGlow(canvas, 0.08, 0.14)
  const soft = defocus(canvas, 0.023 + 0.008 * wishes.blur)
  const lamps = 5 + Math.floor(3 * chance.next())
  for (let i = 0; i < lamps; i++) {
    const x = -wide + ((i + chance.between(0.2, 0.8)) / lamps) * 2 * wide
    const y = chance.between(0.08, 0.25)
    addBokeh(soft, x, y, chance.between(0.034, 0.046), scaleColour(pendant, chance.between(0.5, 1)))
  }
  for (let i = 0; i < 34; i++) {
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0.1, 0.66),
      chance.between(0.012, 0.026),
      scaleColour(mixColours(pendant, [1, 0.5, 0.25], chance.next()), 0.24 * chance.next() ** 2),
    )
  }
  return soft
}

const papers = ['#b9b4ac', '#8f9aa5', '#c9b8a4', '#a8b5a2', '#5d646e', '#d5cfc6'].map(lightOf)

export const studio: Scene = (brief) => {
  const { chance, side, wishes } = brief
  const paper = colourOf(brief, chance.pick(papers))
  const [middle, size] = [0.3 * side + chance.between(-0.06, 0.06), chance.between(0.4, 0.52)]
  // A second colour surrounds the first one, bright enough to be seen as that colour.
  const rim = wishes.colours.find((colour) => colour.some((value, c) => value !== paper[c])) ?? paper
  // A pale colour that was asked for would be grey in the dark.
  const pale = wishes.colours.length > 0 ? smoothstep(0.3, 0.6, luminance(paper)) : 0
  const dark = rim === paper ? 0.13 - 0.08 * wishes.drama + 0.75 * pale * (1 - Math.max(0, wishes.drama)) : 0.8
  const bend = chance.between(0.76, 0.86)
  return paintCanvas(brief, (x, y, out) => {
    const wall = dark + (1.7 - dark) * lampFalloff(x - middle, y - 0.4, size, size)
    const floor = 0.22 + 0.8 * lampFalloff(x - 0.5 * middle, y - 0.98, 0.7, 0.3)
    const curve = smoothstep(bend - 0.16, bend + 0.1, y)
    const mottled = 1 + 0.012 * chance.fractal(3 * x, 3 * y, 3) + 0.008 * chance.noise(60 * x, 60 * y)
    const light = (wall * (1 - curve) + ((0.45 + 0.25 * pale) * wall + 0.6 * floor) * curve) * mottled
    const colour =
      rim === paper ? paper : mixColours(rim, paper, lampFalloff(x - middle, y - 0.4, 1.1 * size, 1.1 * size))
    for (let c = 0; c < 3; c++) out[c] = (colour[c] as number) * light * (c === 2 ? 1.02 - 0.04 * wall : 1)
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
