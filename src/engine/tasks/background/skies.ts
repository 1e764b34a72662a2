import { smoothstep } from '#engine/image/ramp.ts'
import { addBokeh, createCanvas, defocus, glow, paint } from './canvas.ts'
import { colourOf, lightOf, mixed, pool, type Scene, scaled } from './scene.ts'

const zenith = lightOf('#2f6fb5')
const low = lightOf('#bcd9ee')

/** A summer sky with cumulus clouds, brighter where they face the sun and grey below. */
export const sky: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const top = colourOf(brief, zenith)
  const bottom = mixed(top, low, 0.85)
  const [ox, oy] = [chance.between(0, 90), chance.between(0, 90)]
  const amount = chance.between(-0.06, 0.1)
  const density = (x: number, y: number) => {
    const flat = 1.25 + 0.9 * y
    const [u, v] = [x * 1.5 + ox, y * flat * 1.7 + oy]
    const swell = 0.35 * chance.fractal(2 * u + 3, 2 * v, 3)
    return chance.fractal(u + swell, v + 0.7 * swell, 6) + amount + 0.1 * (y - 0.4)
  }
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const here = density(x, y)
    const cover = smoothstep(0.0, 0.26, here)
    const sunward = cover > 0 ? density(x + 0.035 * towards, y - 0.05) : 0
    const lit = 0.62 + 0.5 * smoothstep(0.12, -0.16, sunward - here) - 0.2 * smoothstep(0.15, 0.55, here)
    const air = smoothstep(-0.1, 1, y)
    for (let c = 0; c < 3; c++) {
      const blue = (top[c] as number) + ((bottom[c] as number) - (top[c] as number)) * air
      const cloud = Math.min(1.05, lit * ([1, 0.985, 0.97][c] as number) + (c === 2 ? 0.05 : 0))
      out[c] = blue * 1.1 + (cloud - blue * 1.1) * cover
    }
  })
  return canvas
}

const high = lightOf('#3d4a78')
const middle = lightOf('#c9718a')
const fire = lightOf('#ff9a4d')

/**
 * The sun low above the sea: streaks of cloud lit from below, and its path of glitter on the water.
 */
export const sunset: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const canvas = createCanvas(width, height)
  const horizon = chance.between(0.62, 0.7)
  const sunX = (side < 0 ? -1 : 1) * chance.between(0.12, 0.3)
  const sunY = horizon - chance.between(0.03, 0.09)
  const [upper, rose] = [high, colourOf(brief, middle)]
  paint(canvas, (x, y, out) => {
    if (y < horizon) {
      const up = (horizon - y) / horizon
      const base = mixed(mixed(fire, rose, smoothstep(0.02, 0.4, up)), upper, smoothstep(0.25, 1, up))
      const streak = chance.fractal(1.3 * x + 3, 7 * y + 0.8 * chance.noise(2 * x, 3 * y), 5)
      const cloud = smoothstep(0.02, 0.4, streak) * smoothstep(0, 0.16, up)
      const warm = Math.exp(-Math.abs(up - 0.25) * 3)
      const away = Math.hypot(x - sunX, y - sunY)
      const sun = 14 * smoothstep(0.034, 0.03, away) + 0.9 * Math.exp(-away * 7) + 0.5 * Math.exp(-away * 2.4)
      for (let c = 0; c < 3; c++) {
        const lit = (fire[c] as number) * (0.35 + 0.9 * warm) + 0.1 * (upper[c] as number)
        out[c] = ((base[c] as number) * 0.75 + (lit - (base[c] as number) * 0.75) * cloud * 0.75) * (0.75 + 0.35 * warm)
        out[c] = (out[c] as number) + sun * ([1, 0.62, 0.3][c] as number)
      }
    } else {
      const down = (y - horizon) / (1 - horizon)
      const scale = 1 / (0.06 + down)
      const wave = chance.fractal(2.2 * x * scale, 18 * Math.log(0.06 + down) + 0.3 * x, 4)
      const mirror = mixed(mixed(fire, rose, smoothstep(0, 0.35, down)), upper, smoothstep(0.1, 1, down))
      const path = pool(x - sunX, 0, 0.05 + 0.2 * down, 1)
      const glint = path * smoothstep(0.02, 0.42, wave + 0.16 * path) * (3.4 - 2.2 * down)
      for (let c = 0; c < 3; c++) {
        out[c] = (mirror[c] as number) * (0.3 + 0.16 * wave) + glint * ([1, 0.6, 0.3][c] as number)
      }
    }
  })
  glow(canvas, 0.06, 0.14)
  return defocus(canvas, 0.0045)
}

const air = lightOf('#cfe6f5')
const blue = lightOf('#5aa5dc')
const deep = lightOf('#1f7fa3')
const shallow = lightOf('#6fc9c4')
const sand = lightOf('#e2cda6')
const wet = lightOf('#b79d78')

/** A bright beach out of focus: sky, sea that turns turquoise towards the shore, foam, and sand. */
export const beach: Scene = ({ width, height, chance, wishes }) => {
  const canvas = createCanvas(width, height)
  const horizon = chance.between(0.34, 0.42)
  const shore = horizon + chance.between(0.2, 0.26)
  const slant = chance.between(-0.12, 0.12)
  paint(canvas, (x, y, out) => {
    const edge = shore + slant * x + 0.018 * chance.fractal(2.4 * x, 5, 3)
    if (y < horizon) {
      const cloud = smoothstep(0.05, 0.5, chance.fractal(1.6 * x + 8, 5 * y, 5)) * 0.8
      const base = mixed(blue, air, smoothstep(-0.1, 1, y / horizon))
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * (1 - cloud) + 0.97 * cloud
    } else if (y < edge) {
      const near = (y - horizon) / (edge - horizon)
      const wave = chance.fractal((2.5 * x) / (0.1 + near), 26 * Math.sqrt(near) + 0.5 * x, 3)
      const base = mixed(deep, shallow, smoothstep(0.1, 0.95, near))
      const foam =
        smoothstep(0.8, 1, near + 0.14 * wave) + 0.6 * smoothstep(0.24, 0.5, wave) * smoothstep(0.4, 0.9, near)
      for (let c = 0; c < 3; c++)
        out[c] = (base[c] as number) * (0.85 + 0.35 * wave) * (1 - Math.min(1, foam)) + 0.93 * Math.min(1, foam)
    } else {
      const away = y - edge
      const base = mixed(wet, sand, smoothstep(0.015, 0.11, away))
      const grain = 1 + 0.16 * chance.fractal(5 * x, 15 * y, 4) + 0.06 * chance.noise(60 * x, 60 * y)
      for (let c = 0; c < 3; c++) out[c] = (base[c] as number) * grain * (0.84 + 0.18 * y)
    }
  })
  const soft = defocus(canvas, 0.011 + 0.006 * wishes.blur)
  const wide = (0.5 * width) / height
  for (let i = 0; i < 140; i++) {
    const glint = scaled([1, 0.97, 0.9], 0.07 * chance.between(0.1, 1) ** 2)
    addBokeh(
      soft,
      chance.between(-wide, wide),
      horizon + 0.1 * chance.next() ** 1.8 + 0.012,
      chance.between(0.003, 0.007),
      glint,
    )
  }
  return soft
}

const forest = lightOf('#2c4f3a')
const morning = lightOf('#ffd0a0')
const noon = lightOf('#cfe0ea')
const above = lightOf('#7fa6c9')

/**
 * Ridges one behind the other, each paler and bluer by the air in front of it, with mist in the
 * valleys.
 */
export const mountains: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const near = colourOf(brief, forest)
  const haze = wishes.time === 'day' || wishes.warmth < 0 ? noon : mixed(morning, noon, chance.between(0, 0.25))
  const count = 6
  const ridges = Array.from({ length: count }, (_, i) => ({
    base: 0.34 + (0.56 * (i + 0.4)) / count,
    tall: 0.09 + 0.035 * (i % 3),
    shift: chance.between(0, 60),
    scale: 1.1 + 0.35 * (count - i),
  }))
  /** Near ridges show the tops of their trees against what lies behind. */
  const crest = ({ base, tall, shift, scale }: (typeof ridges)[number], x: number, near: number) => {
    const trees = near * (0.6 + 0.4 * chance.noise(7 * x + shift, shift)) * Math.abs(chance.fractal(95 * x, shift, 2))
    return base - tall * (0.8 * chance.fractal(scale * x + shift, shift, 5) + 0.35) - 0.03 * trees
  }
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
    const sun = Math.exp(-Math.hypot(x - 0.35 * towards, y - 0.3) * 2.2)
    const cloud = 0.25 * smoothstep(0.05, 0.5, chance.fractal(1.2 * x + 3, 4 * y, 4))
    const sky = mixed(above, haze, smoothstep(0, 0.48, y))
    for (let c = 0; c < 3; c++) out[c] = (sky[c] as number) * (0.85 + 0.75 * sun) * (1 - cloud) + 0.95 * cloud
    for (let i = 0; i < count; i++) {
      const ridge = ridges[i] as (typeof ridges)[number]
      const depth = (i + 0.6) / count
      const top = crest(ridge, x, smoothstep(0.55, 1, depth))
      const cover = smoothstep(top - 0.0015, top + 0.0015, y)
      if (cover === 0) continue
      const mist = smoothstep(0, 0.16, y - top) * 0.5 * (1 - depth)
      // Crowns, and the folds of the slopes that the light from the side shows.
      const fold = chance.fractal(5 * x + 3 * towards * y + 9 * i, 4 * y, 3)
      const crowns = chance.fractal(44 * x + 9 * i, 60 * y, 3)
      const trees = 1 + 0.55 * depth * crowns + (0.12 + 0.4 * depth) * fold
      const body = mixed(haze, scaled(near, trees * (0.55 + 0.7 * sun)), 1 - (1 - depth) ** 1.7)
      const shown = mixed(body, haze, Math.max(0, mist))
      for (let c = 0; c < 3; c++) out[c] = (out[c] as number) + ((shown[c] as number) - (out[c] as number)) * cover
    }
  })
  return defocus(canvas, 0.0035 + 0.004 * Math.max(0, wishes.blur))
}
