import type { LightProbe } from '#engine/image/light-probe.ts'
import { clamp } from '#engine/image/numbers.ts'
import { createSeededRandom, type SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from '../canvas.ts'
import { degree, enlarge, longitudeOf, size } from './sky.ts'

/** Metres of the camera above the ground. */
const eye = 1.6
/** Longitude in degrees of the middle of the terrace. */
const middle = -68
const warm: LinearRgb = [1, 0.6, 0.28]
const power = { seen: 120, cast: 0.75 } as const
const bulbRadius = 0.03

/** Metres to the right, up from the camera, and ahead. */
type Point = readonly [x: number, y: number, z: number]
interface Bulb {
  at: Point
  light: number
}

/** Ends of the strings of lights. */
const strings: readonly (readonly [from: Point, to: Point, bulbs: number])[] = [
  [[-9, 1.8, 3.4], [9, 1.9, 4.6], 30],
  [[-9, 1.9, 6.6], [9, 1.7, 5.2], 30],
  [[-9, 1.8, 8], [9, 1.9, 10.4], 30],
  [[-10, 1.8, 14], [10, 1.8, 12], 32],
  [[-7, 1.8, 2], [-5, 1.7, 17], 22],
  [[6, 1.8, 3], [8, 1.7, 18], 22],
]

interface Disc {
  x: number
  z: number
  radius: number
  /** Metres above the ground. */
  height: number
  colour: LinearRgb
}
/** An upright board that faces the camera. */
interface Board {
  longitude: number
  halfWidth: number
  distance: number
  low: number
  high: number
  colour: LinearRgb
}

const wood: LinearRgb = [0.26, 0.17, 0.1]
const chair: LinearRgb = [0.12, 0.085, 0.06]

/** Surroundings of a camera on a terrace: a photographed square with lights, tables and chairs. */
export function composeTerrace(probe: LightProbe): LightProbe {
  const chance = createSeededRandom(3)
  const { width, height } = size
  const { data } = enlarge(probe)
  let logs = 0
  for (let i = 1; i < data.length; i += 3) logs += Math.log(1e-4 + (data[i] as number))
  const mean = Math.exp(logs / (width * height))
  const { tables, discs, boards } = furniture(chance)
  const bulbs = hang(chance, tables)
  for (let y = height / 2 + 2; y < height * 0.85; y++) {
    const down = ((y + 0.5) / height - 0.5) * Math.PI
    for (let x = 0; x < width; x++) {
      const longitude = (longitudeOf(x) - middle) * degree
      const [sin, cos] = [Math.sin(longitude), Math.cos(longitude)]
      if (cos < -0.2) continue
      const i = 3 * (y * width + x)
      const away = eye / Math.tan(down)
      if (away > 40) continue
      const ground: Point = [away * sin, -eye, away * cos]
      const lit = lightOn(ground, bulbs)
      let shade = 1
      for (const { x: tx, z: tz } of tables)
        shade *= 1 - 0.4 * Math.exp(-(((ground[0] - tx) ** 2 + (ground[2] - tz) ** 2) / 0.5))
      for (let c = 0; c < 3; c++) {
        const own = data[i + c] as number
        data[i + c] =
          shade * (own + power.cast * lit * (warm[c] as number) * (0.4 * mean + 0.6 * (data[i + 1] as number)))
      }
      for (const { x: dx, z: dz, radius, height: up, colour } of discs) {
        const reach = (eye - up) / Math.tan(down)
        const [px, pz] = [reach * sin, reach * cos]
        const inside = clamp((radius - Math.hypot(px - dx, pz - dz)) / 0.06 + 0.5, 0, 1)
        if (inside > 0) paint(data, i, colour, inside, mean * (0.5 + 1.6 * lightOn([px, up - eye, pz], bulbs)))
      }
    }
  }
  for (const { longitude, halfWidth, distance, low, high, colour } of boards) {
    const column = ((longitude + middle * degree) / (2 * Math.PI) + 0.5) * width
    const half = (halfWidth / distance / (2 * Math.PI)) * width
    const row = (up: number) => (0.5 - Math.atan((up - eye) / distance) / Math.PI) * height
    for (let y = Math.floor(row(high)); y <= row(low); y++) {
      for (let x = Math.floor(column - half); x <= column + half + 1; x++) {
        const i = 3 * (y * width + (((x % width) + width) % width))
        const inside =
          clamp(Math.min(x + 1, column + half) - Math.max(x, column - half), 0, 1) *
          clamp(Math.min(y + 1, row(low)) - Math.max(y, row(high)), 0, 1)
        paint(data, i, colour, inside, 1.2 * mean)
      }
    }
  }
  for (const bulb of bulbs) shine(data, bulb, mean * chance.between(0.7, 1.2))
  return { ...size, data }
}

function paint(data: Float32Array, i: number, colour: LinearRgb, share: number, light: number): void {
  for (let c = 0; c < 3; c++) {
    const level = (colour[c] as number) * light * (0.4 + 0.6 * (warm[c] as number)) * 2
    data[i + c] = (data[i + c] as number) * (1 - share) + share * level
  }
}

function furniture(chance: SeededRandom) {
  const tables: { x: number; z: number }[] = []
  const discs: Disc[] = []
  const boards: Board[] = []
  for (const [row, z] of [4.2, 6.6, 9.2, 12.5].entries()) {
    for (let x = -8 + 1.2 * (row % 2); x <= 8; x += 2.6) {
      const table = { x: x + chance.between(-0.3, 0.3), z: z + chance.between(-0.3, 0.3) }
      tables.push(table)
      discs.push({ ...table, radius: 0.38, height: 0.75, colour: wood })
      for (let k = 0; k < 2; k++) {
        const angle = chance.between(0, Math.PI) + k * Math.PI
        const [cx, cz] = [table.x + 0.75 * Math.sin(angle), table.z + 0.75 * Math.cos(angle)]
        discs.push({ x: cx, z: cz, radius: 0.2, height: 0.45, colour: chair })
        const [longitude, distance] = [Math.atan2(cx, cz), Math.hypot(cx, cz) + 0.1]
        const part = (aside: number, halfWidth: number, low: number, high: number) =>
          boards.push({ longitude: longitude + aside / distance, halfWidth, distance, low, high, colour: chair })
        for (const aside of [-0.18, 0.18]) part(aside, 0.018, 0, 0.86)
        part(0, 0.2, 0.8, 0.86)
        part(0, 0.2, 0.64, 0.69)
        part(0, 0.2, 0.42, 0.47)
      }
      boards.push({
        longitude: Math.atan2(table.x, table.z),
        halfWidth: 0.03,
        distance: Math.hypot(table.x, table.z),
        low: 0,
        high: 0.72,
        colour: chair,
      })
    }
  }
  const isFarther = (one: { distance: number }, other: { distance: number }) => other.distance - one.distance
  return { tables, discs: discs.sort((a, b) => b.z - a.z), boards: boards.sort(isFarther) }
}

function hang(chance: SeededRandom, tables: readonly { x: number; z: number }[]): Bulb[] {
  const hung = strings.flatMap(([from, to, count]) =>
    Array.from({ length: count + 1 }, (_, i): Bulb => {
      const t = (i + chance.between(-0.15, 0.15)) / count
      const [x, y, z] = [0, 1, 2].map(
        (axis) => (from[axis] as number) * (1 - t) + t * (to[axis] as number),
      ) as unknown as Point
      return { at: [x, y - 2.8 * t * (1 - t), z], light: 1 }
    }),
  )
  return [...hung, ...tables.map(({ x, z }): Bulb => ({ at: [x, 0.85 - eye, z], light: 0.25 }))]
}

/** Light of the bulbs on a level surface. */
function lightOn([x, y, z]: Point, bulbs: readonly Bulb[]): number {
  let sum = 0
  for (const { at, light } of bulbs) {
    const up = at[1] - y
    if (up <= 0.02) continue
    const square = (at[0] - x) ** 2 + up * up + (at[2] - z) ** 2 + 0.05
    sum += (light * up) / (square * Math.sqrt(square))
  }
  return sum
}

function shine(data: Float32Array, { at: [x, y, z], light }: Bulb, level: number): void {
  const { width, height } = size
  const away = Math.hypot(x, y, z)
  const column = ((Math.atan2(x, z) + middle * degree) / (2 * Math.PI) + 0.5) * width - 0.5
  const row = (0.5 - Math.asin(y / away) / Math.PI) * height - 0.5
  const spread = Math.max(0.65, (bulbRadius / away / Math.PI) * height)
  const reach = Math.ceil(3 * spread)
  for (let v = Math.floor(row) - reach; v <= row + reach; v++) {
    for (let u = Math.floor(column) - reach; u <= column + reach; u++) {
      const share = Math.exp(-((u - column) ** 2 + (v - row) ** 2) / (2 * spread * spread))
      const i = 3 * (v * width + (((u % width) + width) % width))
      for (let c = 0; c < 3; c++)
        data[i + c] =
          (data[i + c] as number) + power.seen * level * light * share * (5 / away) ** 1.2 * (warm[c] as number)
    }
  }
}
