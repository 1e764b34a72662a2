import { smoothstep } from '#engine/image/numbers.ts'
import { addBokeh, addBox, addEllipse, addGlow, addShape, defocus, type LinearRgb, paintCanvas } from './canvas.ts'
import { colourOf, lightOf, mixColours, type Scene, scaleColour } from './scene.ts'

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
