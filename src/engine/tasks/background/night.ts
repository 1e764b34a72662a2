import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, type Canvas, createCanvas, glow, type Light, paint } from './canvas.ts'
import { colourOf, lightOf, type Scene, type SceneBrief, scaled } from './scene.ts'

const lamps = ['#ffb057', '#ffc98a', '#ffd9ac', '#ff8a3c', '#fff1dd', '#ff5a3c', '#7fd0ff', '#9affc8'].map(lightOf)

/**
 * A street at night, far out of focus: chains of lamps along the road, windows above, their light
 * on wet ground.
 */
export const nightBokeh: Scene = (brief) => {
  const { width, height, chance } = brief
  const canvas = createCanvas(width, height)
  const horizon = chance.between(0.55, 0.66)
  paint(canvas, (x, y, out) => {
    const sky = 0.008 + 0.03 * smoothstep(0, horizon, y)
    const ground = y > horizon ? 0.02 * smoothstep(1, horizon, y) : 0
    const haze = 0.05 * Math.exp(-(((y - horizon) / 0.16) ** 2)) * (1 + 0.4 * chance.noise(2 * x, 3 * y))
    out[0] = 0.8 * sky + 1.25 * haze + ground
    out[1] = 0.85 * sky + 0.8 * haze + 0.8 * ground
    out[2] = 1.5 * sky + 0.55 * haze + 0.7 * ground
  })
  scatter(canvas, brief, 70, 0.014, horizon, 0.5)
  glow(canvas, 0.05, 0.3)
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
  const chosen: readonly Light[] =
    wishes.colours.length > 0
      ? [...wishes.colours, ...wishes.colours, lamps[2] as Light]
      : lamps.map((lamp) => colourOf({ wishes }, lamp))
  for (let i = 0; i < count; i++) {
    const x = chance.between(-wide, wide)
    const above = Math.abs(chance.next() + chance.next() - 1) * 0.46
    const y = horizon - above * (0.5 + Math.abs(x) / wide)
    const colour = chance.pick(chosen)
    const strength = power * chance.between(0.25, 1) ** 2
    const radius = size * chance.between(0.7, 1.25)
    addBokeh(canvas, x, y, radius, scaled(colour, strength))
    if (chance.next() < 0.3) addBokeh(canvas, x, 2 * horizon - y + 0.04, radius, scaled(colour, 0.14 * strength))
  }
}
