import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, type Canvas, createCanvas, defocus, glow, type Light, paint } from './canvas.ts'
import { lightOf, type Scene, type SceneBrief, scaled } from './scene.ts'

const tubes = ['#ff2d95', '#19d3ff', '#8a4dff', '#ff7a2d', '#35ffb0'].map(lightOf)

/**
 * Neon tubes on a rough dark wall: hot cores, coloured light around them on the wall, its mirror on
 * the floor.
 */
export const neon: Scene = ({ width, height, chance, wishes }) => {
  const canvas = createCanvas(width, height)
  const first = wishes.colours[0] ?? chance.pick(tubes)
  const second = wishes.colours[1] ?? chance.pick(tubes.filter((tube) => tube !== first))
  const floor = chance.between(0.84, 0.92)
  const ring = { x: chance.between(-0.1, 0.1), y: chance.between(0.34, 0.42), radius: chance.between(0.27, 0.34) }
  const round = chance.next() < 0.5
  const bars = [chance.between(-0.62, -0.4), chance.between(0.4, 0.62)]
  const lean = chance.between(-0.25, 0.25)
  const paintTubes = (x: number, y: number, rough: number, out: [number, number, number, number], mirror: number) => {
    const circle = round ? Math.abs(Math.hypot(x - ring.x, y - ring.y) - ring.radius) : Math.abs(y - ring.y + lean * x)
    const bar = Math.min(
      ...bars.map((at) => Math.hypot(x - at - lean * (y - 0.4), Math.max(0, Math.abs(y - 0.4) - 0.34))),
    )
    addTube(circle, first, rough, out, mirror)
    addTube(bar, second, rough, out, mirror)
  }
  paint(canvas, (x, y, out) => {
    if (y < floor) {
      const rough = 0.75 + 0.42 * chance.fractal(7 * x, 7 * y, 5)
      paintTubes(x, y, rough, out, 1)
      out[2] += 0.006
    } else {
      const ripple = 0.05 * chance.fractal(5 * x, 30 * y, 3)
      const near = smoothstep(floor, 1, y)
      paintTubes(x + ripple, 2 * floor - y + ripple, 0.5, out, 0.3 - 0.16 * near)
    }
  })
  glow(canvas, 0.09, 0.2)
  return defocus(canvas, 0.009 + 0.006 * wishes.blur)
}

function addTube(
  away: number,
  colour: Light,
  rough: number,
  out: [number, number, number, number],
  share: number,
): void {
  const core = 5 * smoothstep(0.008, 0.004, away)
  const near = (0.0016 * rough) / (away * away + 0.004)
  const tube = scaled(colour, core + near * 1.1)
  for (let c = 0; c < 3; c++) out[c] = (out[c] as number) + share * ((tube[c] as number) + 0.35 * core)
}

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
    wishes.colours.length > 0 ? [...wishes.colours, ...wishes.colours, lamps[2] as Light] : lamps
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
