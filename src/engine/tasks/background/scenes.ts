import type { SceneId } from '#contract/scenes.ts'
import type { Picture } from '#engine/image/picture.ts'
import { photograph, type SceneOrder } from './finish.ts'
import { garden, leaves } from './greenery.ts'
import { cafe, office, room } from './interiors.ts'
import { brick, concrete, curtain, linen, marble, wood } from './materials.ts'
import { neon, nightBokeh } from './night.ts'
import type { Scene } from './scene.ts'
import { beach, mountains, sky, sunset } from './skies.ts'
import { batik, confetti, studio, windowLight } from './walls.ts'

const scenes: Readonly<Record<SceneId, Scene>> = {
  studio,
  'window-light': windowLight,
  'night-bokeh': nightBokeh,
  leaves,
  marble,
  wood,
  linen,
  concrete,
  brick,
  sky,
  sunset,
  beach,
  mountains,
  garden,
  office,
  cafe,
  room,
  curtain,
  confetti,
  batik,
  neon,
}

/**
 * How near the background stands: a wall or cloth behind the subject catches its shadow, a
 * landscape does not.
 */
export function isNear(id: SceneId): boolean {
  return near.has(id)
}
const near: ReadonlySet<SceneId> = new Set<SceneId>([
  'studio',
  'window-light',
  'marble',
  'wood',
  'linen',
  'concrete',
  'brick',
  'curtain',
  'confetti',
  'batik',
])

/** Makes a scene as a finished picture; the same order gives the same picture. */
export function renderScene({ id, ...order }: SceneOrder & { id: SceneId }): Picture {
  return photograph(scenes[id], order)
}
