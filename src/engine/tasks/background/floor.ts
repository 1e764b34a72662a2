import { smoothstep } from '#engine/image/ramp.ts'
import type { Chance } from '#engine/image/random.ts'
import { type Canvas, type Light, paint } from './canvas.ts'

/** Where a floor begins above what stands on it, in shares of that one's height. */
const depth = 0.16
/** Highest and lowest place of its far edge, in shares of the picture's height. */
const farEdge = { highest: 0.3, lowest: 0.93 } as const

/** What somebody or something stands on, in shares of the picture's height. */
export interface Stance {
  /** Where its feet or wheels are. */
  bottom: number
  height: number
}

/**
 * Lays a floor of a colour in front of a wall, in place, so that nothing that has feet or wheels
 * hangs in the air: darker where it meets the wall, with marks that get finer into the distance.
 */
export function layFloor(canvas: Canvas, { bottom, height }: Stance, colour: Light, chance: Chance): void {
  const edge = Math.min(farEdge.lowest, Math.max(farEdge.highest, bottom - depth * height))
  const [shift, wall] = [
    chance.between(0, 50),
    { ...canvas, red: canvas.red.slice(), green: canvas.green.slice(), blue: canvas.blue.slice() },
  ]
  let i = 0
  paint(canvas, (x, y, out) => {
    const own = [wall.red[i], wall.green[i], wall.blue[i++]] as number[]
    // Half of a soft line, the other half of which is the wall's own shade above the floor.
    const share = smoothstep(edge - 0.004, edge + 0.004, y)
    const corner = 1 - 0.45 * Math.exp(-Math.abs(y - edge) / 0.035)
    const near = 1 / (0.25 + Math.max(0, y - edge))
    const mark = chance.fractal(2.2 * x * near + shift, 5 * near, 4)
    const light = (0.42 + 0.3 * smoothstep(edge, 1.05, y)) * (1 + 0.1 * mark)
    for (let c = 0; c < 3; c++) {
      out[c] = corner * ((own[c] as number) * (1 - share) + (colour[c] as number) * light * share)
    }
  })
}
