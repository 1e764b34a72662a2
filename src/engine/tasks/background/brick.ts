import { smoothstep } from '#engine/image/ramp.ts'
import { createCanvas, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene } from './scene.ts'
import { lightOf, mixed, pool, scaled } from './shading.ts'

const bricks = ['#8e4a36', '#7c4537', '#a0604a', '#cfc9c1'].map(lightOf)

/**
 * A brick wall in light from one side: every brick with its own tone and rough face, mortar set
 * back in shadow.
 */
export const brick: Scene = (brief) => {
  const { width, height, chance, side, wishes } = brief
  const canvas = createCanvas(width, height)
  const tone = colourOf(brief, chance.pick(bricks))
  const mortar = mixed(lightOf('#a39b90'), scaled(tone, 1.2), 0.35)
  const high = chance.between(0.062, 0.076)
  const wide = 3 * high
  const joint = 0.085
  const towards = side < 0 ? -1 : 1
  paint(canvas, (x, y, out) => {
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
    const light = 0.2 + 1.3 * pool(x - 0.45 * towards, y - 0.3, 0.66, 0.66)
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
