import type { SceneId } from '#contract/scenes.ts'
import type { Picture } from '#engine/image/picture.ts'
import { batik } from './batik.ts'
import { beach } from './beach.ts'
import { brick } from './brick.ts'
import { cafe } from './cafe.ts'
import { concrete } from './concrete.ts'
import { confetti } from './confetti.ts'
import { curtain } from './curtain.ts'
import { photograph, type SceneOrder } from './finish.ts'
import { garden } from './garden.ts'
import { leaves } from './leaves.ts'
import { linen } from './linen.ts'
import { marble } from './marble.ts'
import { mountains } from './mountains.ts'
import { neon } from './neon.ts'
import { nightBokeh } from './night-bokeh.ts'
import { office } from './office.ts'
import { room } from './room.ts'
import type { Scene } from './scene.ts'
import { sky } from './sky.ts'
import { studio } from './studio.ts'
import { sunset } from './sunset.ts'
import { windowLight } from './window-light.ts'
import { wood } from './wood.ts'

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
