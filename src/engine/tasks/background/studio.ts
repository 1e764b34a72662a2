import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, pool } from './shading.ts'

const papers = ['#b9b4ac', '#8f9aa5', '#c9b8a4', '#a8b5a2', '#5d646e', '#d5cfc6'].map(lightOf)

/**
 * A seamless paper backdrop, lit by one soft lamp behind the subject; the floor curves up into the
 * wall.
 */
export const studio: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const paper = colourOf(brief, chance.pick(papers))
  const [middle, size] = [0.3 * side + chance.between(-0.06, 0.06), chance.between(0.4, 0.52)]
  const dark = 0.13 - 0.08 * wishes.drama
  const bend = chance.between(0.76, 0.86)
  paint(canvas, (x, y, out) => {
    const wall = dark + (1.7 - dark) * pool(x - middle, y - 0.4, size, size)
    const floor = 0.22 + 0.8 * pool(x - 0.5 * middle, y - 0.98, 0.7, 0.3)
    const curve = smoothstep(bend - 0.16, bend + 0.1, y)
    const mottled = 1 + 0.012 * chance.fractal(3 * x, 3 * y, 3) + 0.008 * chance.noise(60 * x, 60 * y)
    const light = (wall * (1 - curve) + (0.45 * wall + 0.6 * floor) * curve) * mottled
    for (let c = 0; c < 3; c++) out[c] = (paper[c] as number) * light * (c === 2 ? 1.02 - 0.04 * wall : 1)
  })
  return canvas
}
