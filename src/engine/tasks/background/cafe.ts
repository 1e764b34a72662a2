import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, addBox, addEllipse, createCanvas, paint } from './canvas.ts'
import { defocus, glow } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, scaled } from './shading.ts'

const wall = lightOf('#6b4a34')
const shelf = lightOf('#3a2618')
const jars = ['#c98b4a', '#8d5a3a', '#d9c7a4', '#7a8a64', '#a7482f', '#e6d8bf'].map(lightOf)
const lamp = lightOf('#ffc27a')

/**
 * A warm café far out of focus: shelves with jars, a counter, hanging lamps, a bright window at the
 * side.
 */
export const cafe: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const paintwork = colourOf(brief, wall)
  const towards = side < 0 ? -1 : 1
  const wide = (0.5 * width) / height
  paint(canvas, (x, y, out) => {
    const light = 0.3 + 0.4 * smoothstep(-wide, wide, x * towards) + 0.16 * Math.exp(-(((y - 0.3) / 0.25) ** 2))
    const base = y > 0.72 ? mixed(shelf, paintwork, 0.4) : paintwork
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
          scaled(chance.pick(jars), chance.between(0.35, 1)),
        )
    }
  }
  addBox(canvas, -wide, 0.72, wide, 0.745, scaled(lightOf('#c79a66'), 0.7))
  for (let i = 0; i < 5; i++) {
    const x = chance.between(-wide, wide)
    addEllipse(canvas, { x, y: 0.68, wide: 0.03, high: 0.045 }, scaled(chance.pick(jars), 0.7))
  }
  glow(canvas, 0.08, 0.14)
  const soft = defocus(canvas, 0.023 + 0.008 * wishes.blur)
  const lamps = 5 + Math.floor(3 * chance.next())
  for (let i = 0; i < lamps; i++) {
    const x = -wide + ((i + chance.between(0.2, 0.8)) / lamps) * 2 * wide
    const y = chance.between(0.08, 0.25)
    addBokeh(soft, x, y, chance.between(0.034, 0.046), scaled(lamp, chance.between(0.5, 1)))
  }
  for (let i = 0; i < 34; i++) {
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0.1, 0.66),
      chance.between(0.012, 0.026),
      scaled(mixed(lamp, [1, 0.5, 0.25], chance.next()), 0.24 * chance.next() ** 2),
    )
  }
  return soft
}
