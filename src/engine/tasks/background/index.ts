import type { Picture, Plane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { lumaAt } from '#engine/image/tones.ts'
import type { SceneId } from '../../scenes.ts'
import type { LinearRgb } from './canvas.ts'
import { developScene, type SceneRequest } from './finish.ts'
import { cafe, office } from './interiors.ts'
import { brick, concrete, curtain, linen, wood } from './materials.ts'
import { garden, leaves, nightBokeh } from './outdoors.ts'
import { lightOf, type Scene } from './scene.ts'
import { batik, studio, windowLight } from './walls.ts'

const scenes: Readonly<Record<SceneId, Scene>> = {
  studio,
  'window-light': windowLight,
  'night-bokeh': nightBokeh,
  leaves,
  wood,
  linen,
  concrete,
  brick,
  garden,
  office,
  cafe,
  curtain,
  batik,
}

/** True if the background is a wall or cloth close enough to catch the subject's shadow. */
export function isNearBackground(id: SceneId): boolean {
  return near.has(id)
}
const near: ReadonlySet<SceneId> = new Set<SceneId>([
  'studio',
  'window-light',
  'wood',
  'linen',
  'concrete',
  'brick',
  'curtain',
  'batik',
])

const floors: Readonly<Partial<Record<SceneId, LinearRgb>>> = {
  'window-light': lightOf('#a89684'),
  leaves: lightOf('#5d6b45'),
  wood: lightOf('#8d6b4c'),
  linen: lightOf('#b3aba0'),
  concrete: lightOf('#8f8d89'),
  brick: lightOf('#857c74'),
  curtain: lightOf('#6f5a48'),
  batik: lightOf('#6f5a48'),
}

export function renderScene({ id, ...order }: Omit<SceneRequest, 'floor'> & { id: SceneId }): Picture {
  return developScene(scenes[id], { ...order, floor: floors[id] })
}

export { readPrompt, scenesFor } from './prompt.ts'
export { neutralWishes } from './scene.ts'

/**
 * Direction of a subject's light, −1 (left) to 1 (right), from a picture and its matte, both small.
 * Near its outline a subject turns to the side, so brightness is fitted there against the slope of
 * the blurred matte (light from occluding contours, Johnson & Farid 2005).
 */
export function lightDirection({ data, width, height }: Picture, matte: Plane): number {
  const reach = Math.max(2, Math.round(0.05 * Math.max(width, height)))
  const round = feather(matte, reach)
  let [count, sumN, sumL, sumNN, sumNL, sumLL] = [0, 0, 0, 0, 0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      if ((matte.data[i] as number) < 0.95) continue
      const normal = ((round.data[i - 1] as number) - (round.data[i + 1] as number)) * reach
      const luma = lumaAt(data, i) / 255
      count++
      sumN += normal
      sumL += luma
      sumNN += normal * normal
      sumNL += normal * luma
      sumLL += luma * luma
    }
  }
  if (count < 50) return 0
  const cross = sumNL - (sumN * sumL) / count
  const spread = Math.sqrt(Math.max(1e-9, (sumNN - sumN ** 2 / count) * (sumLL - sumL ** 2 / count)))
  return Math.min(1, Math.max(-1, (2.5 * cross) / spread))
}
