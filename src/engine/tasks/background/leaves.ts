import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, addEllipse, type Canvas, createCanvas, type Light, layOn, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene, type SceneBrief } from './scene.ts'
import { lightOf, mixed, scaled } from './shading.ts'

const leaf = lightOf('#5f8f3a')
const glowing = lightOf('#c9d97a')
const shadow = lightOf('#1d3320')

/**
 * Foliage against the light: leaves at three distances, each as far out of focus as it is away, and
 * the sun between them.
 */
export const leaves: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const green = colourOf(brief, leaf)
  const canvas = createCanvas(width, height)
  paint(canvas, (x, y, out) => {
    const light = 0.34 + 0.8 * chance.fractal(1.5 * x + 4, 1.5 * y, 3) - 0.5 * (y - 0.35) + 0.35 * side * x
    const base = mixed(shadow, mixed(green, glowing, 0.5), Math.min(1, Math.max(0, light)))
    for (let c = 0; c < 3; c++) out[c] = base[c] as number
  })
  strew(canvas, brief, green, 420, 0.045, 1)
  const far = defocus(canvas, 0.03 + 0.01 * wishes.blur)
  const wide = (0.55 * width) / height
  for (let i = 0; i < 60; i++) {
    const power = 0.3 * chance.between(0.15, 1) ** 1.6
    const colour = scaled(mixed(glowing, [1, 0.96, 0.8], chance.next()), power)
    addBokeh(far, chance.between(-wide, wide), chance.next() ** 1.5 * 0.75, chance.between(0.016, 0.042), colour)
  }
  const near = createCanvas(width, height, true)
  strew(near, brief, green, 34, 0.1, 0.8, true)
  layOn(far, defocus(near, 0.045))
  return far
}

function strew(
  canvas: Canvas,
  { chance, width, height, side }: SceneBrief,
  green: Light,
  count: number,
  size: number,
  share: number,
  rim = false,
) {
  const wide = (0.6 * width) / height
  for (let i = 0; i < count; i++) {
    let [x, y] = [chance.between(-wide, wide), chance.between(-0.1, 1.1)]
    if (rim) {
      // Near leaves hang into the picture from its corners.
      const corner = chance.next() < 0.7 ? Math.sign(side || 1) : -Math.sign(side || 1)
      x = -corner * (wide - 0.22 * chance.next() ** 2)
      y = chance.next() < 0.6 ? 0.3 * chance.next() ** 2 - 0.05 : 1.05 - 0.2 * chance.next()
    }
    const sunny = smoothstep(-0.35, 0.5, chance.fractal(1.5 * x + 4, 1.5 * y, 3) - 0.5 * (y - 0.4) + 0.35 * side * x)
    const bright = sunny * chance.between(0, 1) ** 1.4
    const colour = mixed(
      mixed(shadow, green, chance.between(0, 0.4) + 0.6 * sunny),
      glowing,
      bright * (rim ? 0.2 : 0.85),
    )
    const long = size * chance.between(0.5, 1.2)
    addEllipse(
      canvas,
      { x, y, wide: long, high: 0.42 * long, turn: chance.between(0, Math.PI) },
      scaled(colour, rim ? 0.6 : 1.25),
      share,
    )
  }
}
