import type { Picture } from '#engine/image/picture.ts'
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
