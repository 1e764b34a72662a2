import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, addBox, addEllipse, addShape, createCanvas, paint } from './canvas.ts'
import { defocus, glow } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, pool, scaled } from './shading.ts'

const walls = ['#cfc4b5', '#b9c2bd', '#c9b3a4', '#a9b3bd'].map(lightOf)
const wood = lightOf('#8a6544')
const fabrics = ['#7f8b93', '#a38f78', '#5c6b5f', '#b0816a'].map(lightOf)
const plant = lightOf('#3f6b3c')
const lamp = lightOf('#ffd19a')

/**
 * A living room out of focus: a bright curtained window, a shelf with books, a sofa, a plant and a
 * standing lamp.
 */
export const room: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const wall = colourOf(brief, chance.pick(walls))
  const fabric = chance.pick(fabrics)
  const towards = side < 0 ? -1 : 1
  const wide = (0.5 * width) / height
  const window = { x: towards * (wide - 0.16), lampX: -towards * (wide - 0.2) }
  paint(canvas, (x, y, out) => {
    const sun = 0.75 * pool(x - window.x, y - 0.35, 0.6, 0.6)
    const warm = 0.5 * pool(x - window.lampX, y - 0.34, 0.22, 0.3)
    for (let c = 0; c < 3; c++) {
      const floor = y > 0.78
      const base = floor ? (wood[c] as number) * 0.8 : (wall[c] as number)
      out[c] = base * (0.36 + sun + warm * (lamp[c] as number))
    }
  })
  addShape(
    canvas,
    { left: window.x - 0.17, right: window.x + 0.17, top: 0.04, bottom: 0.7 },
    [1.7, 1.72, 1.65],
    (x, y) => {
      const fold = 0.72 + 0.28 * Math.sin(110 * (x - window.x) + 2 * chance.noise(4 * x, 2 * y))
      return y > 0.04 && y < 0.7 && Math.abs(x - window.x) < 0.17 ? fold : 0
    },
  )
  const shelf = -towards * 0.1 * wide
  for (let row = 0; row < 4; row++) {
    const y = 0.2 + 0.12 * row
    addBox(canvas, shelf - 0.2, y, shelf + 0.2, y + 0.012, scaled(wood, 0.7))
    for (let x = shelf - 0.19; x < shelf + 0.17; x += chance.between(0.014, 0.03)) {
      const book = mixed(chance.pick(fabrics), chance.pick(walls), chance.next())
      if (chance.next() < 0.74)
        addBox(
          canvas,
          x,
          y - chance.between(0.05, 0.095),
          x + chance.between(0.01, 0.024),
          y,
          scaled(book, chance.between(0.3, 0.8)),
        )
    }
  }
  addShape(canvas, { left: -wide, right: wide, top: 0.6, bottom: 1 }, scaled(fabric, 0.5), (x, y) => {
    const seat = 0.66 + 0.012 * Math.cos(9 * x)
    return Math.abs(x + towards * 0.2) < 0.55 ? smoothstep(seat - 0.01, seat + 0.01, y) : 0
  })
  const pot = { x: towards * (wide - 0.42), y: 0.66 }
  for (let k = 0; k < 34; k++) {
    const turn = chance.between(0.3, 2.84)
    const away = chance.between(0.04, 0.17)
    const colour = scaled(plant, chance.between(0.35, 1.5))
    addEllipse(
      canvas,
      { x: pot.x + away * Math.cos(turn), y: pot.y - away * Math.sin(turn), wide: 0.055, high: 0.015, turn: -turn },
      colour,
    )
  }
  addEllipse(canvas, { x: window.lampX, y: 0.33, wide: 0.065, high: 0.05 }, [2.2, 1.7, 1.1])
  addBox(canvas, window.lampX - 0.004, 0.37, window.lampX + 0.004, 0.8, scaled(wood, 0.3))
  glow(canvas, 0.1, 0.2)
  const soft = defocus(canvas, 0.02 + 0.008 * wishes.blur)
  for (let i = 0; i < 8; i++)
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0.15, 0.5),
      chance.between(0.012, 0.02),
      scaled(lamp, 0.12 * chance.next()),
    )
  return soft
}
