import { clamp, smoothstep } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { createSeededRandom } from '#engine/image/random.ts'
import type { LocationId } from '../../scenes.ts'
import type { SceneRequest, SubjectPosition } from './finish.ts'
import { lightOf, linearOf, srgbOf } from './scene.ts'

/** The room behind the table. */
export const tableRoom: LocationId = 'apartment'

const woods = ['#a5744a', '#8f613e', '#b98e60', '#7a5438'].map(lightOf)
/** Row of the far edge under a subject that the lower edge cuts off, in shares of the height. */
const usualEdge = 0.7
/**
 * Distance of the far edge above the subject's base in subject heights: wide things such as plates
 * are photographed from above, so that more of the table is seen.
 */
const depth = { upright: 0.26, wide: 0.8 } as const
/** Planks across the picture at the near edge. */
const planks = 3.4

/** Row of the table's far edge, in shares of the height from the top. */
export function tableEdge(stance: SceneRequest['stance']): number {
  if (!stance) return usualEdge
  const wide = clamp(stance.width / stance.height - 0.4, 0, 1)
  return clamp(stance.bottom - (depth.upright + (depth.wide - depth.upright) * wide) * stance.height, 0.12, 0.9)
}

/**
 * Lays a table top of planks in perspective over the lower part, in place: its lines meet at the
 * horizon, its far edge is out of focus, and it mirrors the light of the room behind it.
 */
export function layTable(
  room: Picture,
  { seed, wishes, side, stance }: Pick<SceneRequest, 'seed' | 'wishes' | 'side' | 'stance'>,
): Picture {
  const { width, height, data } = room
  const chance = createSeededRandom(seed + 31)
  const tone = wishes.colours[0] ?? chance.pick(woods)
  const edge = tableEdge(stance)
  const horizon = edge - 0.5 * (1.1 - edge)
  const shift = chance.between(0, 1)
  const gain = 2 ** (0.75 * wishes.brightness)
  for (let row = Math.floor((edge - 0.02) * height); row < height; row++) {
    const y = (row + 0.5) / height
    // Distance of the row's points: 1 at the lower border of the picture, larger further away.
    const away = (1 - horizon) / (y - horizon)
    const soft = clamp((away - 1.25) / 1.6, 0, 1)
    const cover = smoothstep(edge - 0.008, edge + 0.008, y)
    const board = smoothstep(edge + 0.002, edge + 0.014, y)
    const mirrored = Math.max(0, Math.round((2 * edge - y - 0.02) * height))
    for (let column = 0; column < width; column++) {
      const x = ((column + 0.5) / width - 0.5) * away
      const across = x * planks + shift + 100
      const plank = Math.floor(across)
      const inside = across - plank
      const own = chance.cell(plank, 5)
      const along = away * 2.4 + 17 * own
      const bend = 0.25 * chance.fractal(1.3 * inside + 31 * own, 0.8 * along, 3)
      const rings = 0.5 + 0.5 * Math.sin((inside + bend) * (15 + 10 * own) + 40 * own)
      const fibre = chance.noise(70 * inside + 60 * own, 3 * along) * (1 - soft)
      const grain = (0.74 + 0.24 * own) * (0.86 + (0.2 - 0.12 * soft) * rings) * (1 + 0.1 * fibre)
      const width2 = 0.012 + 0.05 * soft
      const gap = 1 - (0.62 - 0.35 * soft) * (1 - smoothstep(0, width2, Math.min(inside, 1 - inside)))
      const light = (0.62 + 0.3 * smoothstep(edge, 1, y)) * (1 + 0.22 * side * ((column + 0.5) / width - 0.5))
      // Grazing light is mirrored more (Fresnel).
      const mirror = 0.05 + 0.3 * clamp((away - 1) / 2.2, 0, 1) ** 1.5
      const at = 4 * (row * width + column)
      const from = 4 * (mirrored * width + column)
      for (let c = 0; c < 3; c++) {
        const wood = (tone[c] as number) * (c === 0 ? grain : grain ** (1.1 + 0.1 * c)) * gap * light * gain * 1.35
        const room = linearOf((data[from + c] as number) / 255)
        const top = (wood * (1 - mirror) + room * mirror) * (0.72 + 0.28 * board)
        const under = data[at + c] as number
        data[at + c] = under + cover * (255 * srgbOf(clamp(top, 0, 1)) - under)
      }
    }
  }
  return room
}

/** Height of the visible reflection in subject heights, and its strength at the base. */
const reflection = { reach: 0.28, strength: 0.2 } as const

/** Mirrors the subject in the table under its base, fading downwards, in place. */
export function addReflection(table: Picture, subject: Picture, { bottom, height }: SubjectPosition): void {
  const base = Math.round(bottom * table.height)
  const reach = Math.max(1, reflection.reach * height * table.height)
  for (let row = base; row < Math.min(table.height, base + reach); row++) {
    const from = 2 * base - row - 1
    if (from < 0) break
    const share = reflection.strength * (1 - (row - base) / reach) ** 1.5
    for (let column = 0; column < table.width; column++) {
      const [at, above] = [4 * (row * table.width + column), 4 * (from * table.width + column)]
      const cover = (share * (subject.data[above + 3] as number)) / 255
      for (let c = 0; c < 3; c++) {
        const under = table.data[at + c] as number
        table.data[at + c] = under + cover * ((subject.data[above + c] as number) - under)
      }
    }
  }
}
