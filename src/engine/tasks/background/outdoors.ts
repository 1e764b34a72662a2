import { smoothstep } from '#engine/image/numbers.ts'
import {
  addBokeh,
  addEllipse,
  addGlow,
  type Canvas,
  compositeLayer,
  createCanvas,
  defocus,
  type LinearRgb,
  paintCanvas,
} from './canvas.ts'
import { colourOf, lightOf, mixColours, type Scene, type SceneBrief, scaleColour } from './scene.ts'

const lawn = lightOf('#86ab4e')
const tree = lightOf('#43692f')
const deepGreen = lightOf('#1f3520')
const gold = lightOf('#f2df98')

export const garden: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const green = colourOf(brief, lawn)
  const horizon = chance.between(0.52, 0.6)
  const wide = (0.55 * width) / height
  const towards = side < 0 ? -1 : 1
  const canvas = paintCanvas(brief, (x, y, out) => {
    if (y < horizon) {
      const light = 0.5 + 0.55 * chance.fractal(2.6 * x + 3, 2.2 * y, 4) + 0.26 * x * towards + 0.2 * (0.4 - y)
      const gap = smoothstep(0.42, 0.7, light + 0.18 * (0.3 - y))
      const base = mixColours(deepGreen, mixColours(tree, gold, 0.28), smoothstep(0.1, 0.9, light))
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (1 - gap) + ([1.5, 1.52, 1.3][c] as number) * gap * 0.8
    } else {
      const near = (y - horizon) / (1 - horizon)
      const shade = smoothstep(-0.25, 0.3, chance.fractal(1.2 * x + 6, 7 * Math.sqrt(near), 3))
      const blade = 1 + 0.2 * chance.noise(40 * x, 18 * y)
      const base = mixColours(mixColours(green, gold, 0.25), scaleColour(green, 0.7), near)
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (0.34 + 0.75 * shade) * blade
    }
  })
  for (let i = 0; i < 7; i++) {
    const x = chance.between(-wide, wide)
    const thick = chance.between(0.008, 0.022)
    addEllipse(canvas, { x, y: horizon - 0.2, wide: thick, high: 0.24 }, scaleColour(deepGreen, 0.9), 0.9)
  }
  for (let i = 0; i < (wishes.without.includes('flowers') ? 0 : 60); i++) {
    const petal = chance.pick([
      [0.9, 0.85, 0.75],
      [0.8, 0.3, 0.4],
      [0.95, 0.75, 0.2],
    ] as const)
    addEllipse(
      canvas,
      { x: chance.between(-wide, wide), y: horizon + 0.02 + 0.2 * chance.next() ** 2, wide: 0.008, high: 0.007 },
      petal,
    )
  }
  addGlow(canvas, 0.1, 0.16)
  const soft = defocus(canvas, 0.022 + 0.008 * wishes.blur)
  for (let i = 0; i < 34; i++) {
    const power = 0.3 * chance.next() ** 1.5
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0, horizon - 0.08),
      chance.between(0.014, 0.034),
      scaleColour(gold, power),
    )
  }
  return soft
}

const leaf = lightOf('#5f8f3a')
const glowing = lightOf('#c9d97a')
const shadow = lightOf('#1d3320')

export const leaves: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const green = colourOf(brief, leaf)
  const canvas = paintCanvas(brief, (x, y, out) => {
    const light = 0.34 + 0.8 * chance.fractal(1.5 * x + 4, 1.5 * y, 3) - 0.5 * (y - 0.35) + 0.35 * side * x
    const base = mixColours(shadow, mixColours(green, glowing, 0.5), Math.min(1, Math.max(0, light)))
    for (let c = 0; c < 3; c++) out[c] = base[c] as number
  })
  strew(canvas, brief, green, 420, 0.045, 1)
  const far = defocus(canvas, 0.03 + 0.01 * wishes.blur)
  const wide = (0.55 * width) / height
  for (let i = 0; i < 60; i++) {
    const power = 0.3 * chance.between(0.15, 1) ** 1.6
    const colour = scaleColour(mixColours(glowing, [1, 0.96, 0.8], chance.next()), power)
    addBokeh(far, chance.between(-wide, wide), chance.next() ** 1.5 * 0.75, chance.between(0.016, 0.042), colour)
  }
  const near = createCanvas(width, height, true)
  strew(near, brief, green, 34, 0.1, 0.8, true)
  compositeLayer(far, defocus(near, 0.045))
  return far
}

function strew(
  canvas: Canvas,
  { chance, width, height, side }: SceneBrief,
  green: LinearRgb,
  count: number,
  size: number,
  share: number,
  rim = false,
) {
  const wide = (0.6 * width) / height
  for (let i = 0; i < count; i++) {
    let [x, y] = [chance.between(-wide, wide), chance.between(-0.1, 1.1)]
    if (rim) {
      const corner = chance.next() < 0.7 ? Math.sign(side || 1) : -Math.sign(side || 1)
      x = -corner * (wide - 0.22 * chance.next() ** 2)
      y = chance.next() < 0.6 ? 0.3 * chance.next() ** 2 - 0.05 : 1.05 - 0.2 * chance.next()
    }
    const sunny = smoothstep(-0.35, 0.5, chance.fractal(1.5 * x + 4, 1.5 * y, 3) - 0.5 * (y - 0.4) + 0.35 * side * x)
    const bright = sunny * chance.between(0, 1) ** 1.4
    const colour = mixColours(
      mixColours(shadow, green, chance.between(0, 0.4) + 0.6 * sunny),
      glowing,
      bright * (rim ? 0.2 : 0.85),
    )
    const long = size * chance.between(0.5, 1.2)
    addEllipse(
      canvas,
      { x, y, wide: long, high: 0.42 * long, turn: chance.between(0, Math.PI) },
      scaleColour(colour, rim ? 0.6 : 1.25),
      share,
    )
  }
}

const lamps = ['#ffb057', '#ffc98a', '#ffd9ac', '#ff8a3c', '#fff1dd', '#ff5a3c', '#7fd0ff', '#9affc8'].map(lightOf)

export const nightBokeh: Scene = (brief) => {
  const { chance } = brief
  const horizon = chance.between(0.55, 0.66)
  const canvas = paintCanvas(brief, (x, y, out) => {
    const sky = 0.008 + 0.03 * smoothstep(0, horizon, y)
    const ground = y > horizon ? 0.02 * smoothstep(1, horizon, y) : 0
    const haze = 0.05 * Math.exp(-(((y - horizon) / 0.16) ** 2)) * (1 + 0.4 * chance.noise(2 * x, 3 * y))
    out[0] = 0.8 * sky + 1.25 * haze + ground
    out[1] = 0.85 * sky + 0.8 * haze + 0.8 * ground
    out[2] = 1.5 * sky + 0.55 * haze + 0.7 * ground
  })
  scatter(canvas, brief, 70, 0.014, horizon, 0.5)
  addGlow(canvas, 0.05, 0.3)
  scatter(canvas, brief, 60, 0.03, horizon, 0.42)
  scatter(canvas, brief, 16, 0.05, horizon, 0.26)
  return canvas
}

function scatter(
  canvas: Canvas,
  { chance, wishes, width, height }: SceneBrief,
  count: number,
  size: number,
  horizon: number,
  power: number,
) {
  const wide = (0.54 * width) / height
  const chosen: readonly LinearRgb[] =
    wishes.colours.length > 0
      ? [...wishes.colours, ...wishes.colours, lamps[2] as LinearRgb]
      : lamps.map((lamp) => colourOf({ wishes }, lamp))
  for (let i = 0; i < count; i++) {
    const x = chance.between(-wide, wide)
    const above = Math.abs(chance.next() + chance.next() - 1) * 0.46
    const y = horizon - above * (0.5 + Math.abs(x) / wide)
    const colour = chance.pick(chosen)
    const strength = power * chance.between(0.25, 1) ** 2
    const radius = size * chance.between(0.7, 1.25)
    addBokeh(canvas, x, y, radius, scaleColour(colour, strength))
    if (chance.next() < 0.3) addBokeh(canvas, x, 2 * horizon - y + 0.04, radius, scaleColour(colour, 0.14 * strength))
  }
}
