import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, addEllipse, createCanvas, paint } from './canvas.ts'
import { defocus, glow } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, scaled } from './shading.ts'

const lawn = lightOf('#86ab4e')
const tree = lightOf('#43692f')
const deep = lightOf('#1f3520')
const gold = lightOf('#f2df98')

/**
 * A park in the afternoon, out of focus: sunlit lawn, trees with the sky between their leaves,
 * flowers here and there.
 */
export const garden: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const green = colourOf(brief, lawn)
  const horizon = chance.between(0.52, 0.6)
  const wide = (0.55 * width) / height
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    if (y < horizon) {
      const light = 0.5 + 0.55 * chance.fractal(2.6 * x + 3, 2.2 * y, 4) + 0.26 * x * towards + 0.2 * (0.4 - y)
      const gap = smoothstep(0.42, 0.7, light + 0.18 * (0.3 - y))
      const base = mixed(deep, mixed(tree, gold, 0.28), smoothstep(0.1, 0.9, light))
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (1 - gap) + ([1.5, 1.52, 1.3][c] as number) * gap * 0.8
    } else {
      const near = (y - horizon) / (1 - horizon)
      const shade = smoothstep(-0.25, 0.3, chance.fractal(1.2 * x + 6, 7 * Math.sqrt(near), 3))
      const blade = 1 + 0.2 * chance.noise(40 * x, 18 * y)
      const base = mixed(mixed(green, gold, 0.25), scaled(green, 0.7), near)
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (0.34 + 0.75 * shade) * blade
    }
  })
  for (let i = 0; i < 7; i++) {
    const x = chance.between(-wide, wide)
    const thick = chance.between(0.008, 0.022)
    addEllipse(canvas, { x, y: horizon - 0.2, wide: thick, high: 0.24 }, scaled(deep, 0.9), 0.9)
  }
  for (let i = 0; i < 60; i++) {
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
  glow(canvas, 0.1, 0.16)
  const soft = defocus(canvas, 0.022 + 0.008 * wishes.blur)
  for (let i = 0; i < 34; i++) {
    const power = 0.3 * chance.next() ** 1.5
    addBokeh(
      soft,
      chance.between(-wide, wide),
      chance.between(0, horizon - 0.08),
      chance.between(0.014, 0.034),
      scaled(gold, power),
    )
  }
  return soft
}
