import { clamp, smoothstep } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { createSeededRandom } from '#engine/image/random.ts'
import type { LocationId } from '#engine/scenes.ts'
import { defocus, paintCanvas } from './canvas.ts'
import type { SceneRequest, SubjectPosition } from './develop-scene.ts'
import { colourOf, lampFalloff, lightOf, linearOf, mixColours, type Scene, scaleColour, srgbOf } from './scene.ts'

const bricks = ['#8e4a36', '#7c4537', '#a0604a', '#cfc9c1'].map(lightOf)

export const brick: Scene = (brief) => {
  const { chance, side, wishes } = brief
  const tone = colourOf(brief, chance.pick(bricks))
  const mortar = mixColours(lightOf('#a39b90'), scaleColour(tone, 1.2), 0.35)
  const high = chance.between(0.062, 0.076)
  const wide = 3 * high
  const joint = 0.085
  const towards = side < 0 ? -1 : 1
  const canvas = paintCanvas(brief, (x, y, out) => {
    const wobble = 0.004 * chance.noise(9 * x, 9 * y)
    const row = Math.floor((y + wobble) / high)
    const across = (x + wobble) / wide + (row % 2) / 2 + 100
    const column = Math.floor(across)
    const [u, v] = [across - column, (y + wobble) / high - row]
    const own = chance.cell(column, row)
    const [edgeX, edgeY] = [Math.min(u, 1 - u) * 3, Math.min(v, 1 - v)]
    const face = smoothstep(joint * 0.5, joint * 1.5, edgeX + 0.03 * own) * smoothstep(joint * 0.5, joint * 1.5, edgeY)
    const rough = chance.fractal(24 * x + own * 40, 24 * y, 4)
    const bevel =
      (smoothstep(0.4, 0.08, 3 * (towards < 0 ? u : 1 - u)) - smoothstep(0.4, 0.08, 3 * (towards < 0 ? 1 - u : u))) *
      0.3
    const top = (smoothstep(0.3, 0.08, v) - smoothstep(0.3, 0.08, 1 - v)) * 0.28
    const light = 0.2 + 1.3 * lampFalloff(x - 0.45 * towards, y - 0.3, 0.66, 0.66)
    const shade = light * (0.55 + 0.75 * own) * (1 + 0.32 * rough + bevel + top)
    const hollow = light * (0.5 + 0.3 * smoothstep(0, 0.09, edgeY) + 0.18 * rough)
    for (let c = 0; c < 3; c++) {
      const burnt = own > 0.86 ? 0.74 : 1
      out[c] = Math.max(
        0,
        (tone[c] as number) * shade * burnt * face + (mortar[c] as number) * hollow * 0.7 * (1 - face),
      )
    }
  })
  return defocus(canvas, 0.0035 + 0.003 * Math.max(0, wishes.blur))
}

const own = lightOf('#9a9894')

export const concrete: Scene = (brief) => {
  const { chance, side } = brief
  const tone = colourOf(brief, own)
  const [jointX, jointY] = [chance.between(0.5, 0.75), chance.between(0.55, 0.9)]
  const [shiftX, shiftY] = [chance.between(0, 1), chance.between(0.1, 0.6)]
  const towards = side < 0 ? -1 : 1
  return paintCanvas(brief, (x, y, out) => {
    const stain = chance.fractal(1.4 * x + 5, 1.4 * y, 5) + 0.5 * chance.fractal(5 * x, 0.9 * y, 3)
    const fine = chance.noise(46 * x, 46 * y) + 0.7 * chance.noise(110 * x, 110 * y)
    const pore = Math.max(0, chance.noise(34 * x + 3, 34 * y) - 0.74) * 3
    const [u, v] = [((x + shiftX + 9) / jointX) % 1, ((y + shiftY) / jointY) % 1]
    const joint =
      1 -
      0.5 * smoothstep(0.006, 0.002, Math.min(u, 1 - u) * jointX) -
      0.5 * smoothstep(0.006, 0.002, Math.min(v, 1 - v) * jointY)
    const hole = Math.hypot((Math.abs(u - 0.5) - 0.3) * jointX, (Math.abs(v - 0.5) - 0.3) * jointY)
    const anchor =
      1 - 0.7 * smoothstep(0.017, 0.012, hole) + 0.1 * smoothstep(0.02, 0.017, hole) * smoothstep(0.013, 0.016, hole)
    const light = 0.24 + 1.35 * lampFalloff(x - 0.5 * towards, y - 0.22, 0.66, 0.62)
    const shade = light * (1 + 0.24 * stain + 0.035 * fine - 0.5 * pore) * joint * anchor
    for (let c = 0; c < 3; c++) out[c] = (tone[c] as number) * Math.max(0, shade) * (c === 2 ? 1 - 0.03 * stain : 1)
  })
}

const cloths = ['#d8cab4', '#cbbda9', '#b9ab97', '#c3c6bd', '#d9d2c7'].map(lightOf)

export const linen: Scene = (brief) => {
  const { chance, side, wishes } = brief
  const cloth = colourOf(brief, chance.pick(cloths))
  const depth = 0.05 + 0.02 * wishes.drama
  const offset = chance.between(0, 50)
  const fold = (x: number, y: number) => {
    const sway = 0.3 * chance.noise(0.7 * x + offset, 0.6 * y)
    return chance.noise(2.3 * (x + sway) + offset, 0.45 * y) + 0.5 * chance.noise(4.9 * (x + sway), 0.7 * y + offset)
  }
  const towards = side < 0 ? -1 : 1
  return paintCanvas(brief, (x, y, out) => {
    const slope = (fold(x + 0.012, y) - fold(x - 0.012, y)) / 0.024
    const weave = chance.noise(150 * x, 14 * y) + chance.noise(14 * x, 150 * y) + 0.7 * chance.noise(190 * x, 190 * y)
    const slub = Math.max(0, chance.noise(8 * x, 120 * y) - 0.55) + Math.max(0, chance.noise(120 * x, 8 * y) - 0.55)
    const light = 0.34 + 0.8 * lampFalloff(x - 0.4 * side, y - 0.3, 0.7, 0.7) - towards * depth * slope * 1.4
    const shade = Math.max(0.06, light) * (1 + 0.075 * weave + 0.2 * slub)
    for (let c = 0; c < 3; c++) out[c] = (cloth[c] as number) * shade
  })
}

const woods = ['#a5744a', '#8a5a37', '#c19a6b', '#6d4a33', '#b58a63'].map(lightOf)

export const wood: Scene = (brief) => {
  const { chance, side } = brief
  const tone = colourOf(brief, chance.pick(woods))
  const across = chance.between(0.16, 0.22)
  const upright = chance.next() < 0.6
  return paintCanvas(brief, (x, y, out) => {
    const [u, v] = upright ? [x, y] : [y, x]
    const plank = Math.floor(u / across + 100)
    const inside = u / across + 100 - plank
    const own = chance.cell(plank, 7)
    const along = v * 0.7 + 13 * own
    const knotAway = Math.hypot((inside - 0.3 - 0.4 * own) * 1.5, ((v + own) % 1.1) - 0.5) * 3.2
    const bend = 0.22 * chance.fractal(1.6 * inside + 31 * own, 1.5 * along, 3) + 0.18 * Math.exp(-(knotAway ** 2) * 6)
    const rings = 0.5 + 0.5 * Math.sin((inside + bend) * (16 + 12 * own) + 40 * own)
    const fibre = chance.noise(95 * inside + 60 * own, 4.5 * along) + 0.6 * chance.noise(210 * inside, 11 * along)
    const knot = smoothstep(0.34, 0.12, knotAway) * (own > 0.55 ? 1 : 0)
    const shade = (0.66 + 0.3 * own) * (0.82 + 0.26 * rings ** 1.6) * (1 + 0.11 * fibre) * (1 - 0.5 * knot)
    const gap = smoothstep(0.006, 0.024, inside) * smoothstep(1, 0.978, inside)
    const bevel = 1 + 0.12 * (smoothstep(0.07, 0.02, inside) - smoothstep(0.93, 0.98, inside)) * (side < 0 ? 1 : -1)
    const light = (0.26 + 1.2 * lampFalloff(x - 0.42 * side, y - 0.34, 0.68, 0.68)) * (0.06 + 0.94 * gap) * bevel
    out[0] = tone[0] * shade * light * 1.05
    out[1] = tone[1] * shade ** 1.12 * light
    out[2] = tone[2] * shade ** 1.25 * light * 0.95
  })
}

const velvets = ['#6a1f2b', '#1f3a4a', '#24402f', '#43324f', '#7a5a34'].map(lightOf)

export const curtain: Scene = (brief) => {
  const { chance, side } = brief
  const velvet = colourOf(brief, chance.pick(velvets))
  const sheen = mixColours(velvet, [1, 0.95, 0.9], 0.22)
  const folds = chance.between(4.6, 6.4)
  const offset = chance.between(0, 50)
  const towards = side < 0 ? -1 : 1
  return paintCanvas(brief, (x, y, out) => {
    const sway = 0.07 * chance.noise(1.3 * x + offset, 0.7 * y) + 0.02 * chance.noise(3.1 * x, 1.6 * y + offset)
    const phase = folds * (x + sway * (0.4 + 0.6 * y)) + 0.8 * chance.noise(0.9 * x + 4, offset)
    const wave =
      Math.sin(2 * Math.PI * phase) * (0.7 + 0.5 * chance.noise(2.2 * x + 8, 0.5 * y)) +
      0.5 * Math.sin(2 * Math.PI * phase * 1.63 + 2.4 * chance.noise(1.2 * x, 0.6 * y))
    const slope = Math.cos(2 * Math.PI * phase) * towards
    const deep = 0.26 + 0.74 / (1 + Math.exp(-1.7 * wave))
    const rim = Math.max(0, 0.6 - Math.abs(wave - 0.1)) * 0.6
    const light = (0.3 + 0.9 * lampFalloff(x - 0.35 * side, y - 0.32, 0.75, 0.8)) * deep * (1 - 0.3 * slope)
    const pile = 1 + 0.06 * chance.fractal(16 * x, 5 * y, 3) + 0.04 * chance.noise(110 * x, 70 * y)
    for (let c = 0; c < 3; c++) {
      out[c] = Math.max(0, ((velvet[c] as number) * light * 1.5 + (sheen[c] as number) * rim * light * 0.5) * pile)
    }
  })
}

/** The room behind the table. */
export const tableRoom: LocationId = 'apartment'

const tableWoods = ['#a5744a', '#8f613e', '#b98e60', '#7a5438'].map(lightOf)
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
function tableEdge(stance: SceneRequest['stance']): number {
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
  const tone = wishes.colours[0] ?? chance.pick(tableWoods)
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
