import type { SceneId } from '#contract/scenes.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { batik } from './batik.ts'
import { beach } from './beach.ts'
import { brick } from './brick.ts'
import { cafe } from './cafe.ts'
import { concrete } from './concrete.ts'
import { confetti } from './confetti.ts'
import { curtain } from './curtain.ts'
import { develop } from './finish.ts'
import { garden } from './garden.ts'
import { leaves } from './leaves.ts'
import { linen } from './linen.ts'
import { marble } from './marble.ts'
import { mountains } from './mountains.ts'
import { neon } from './neon.ts'
import { nightBokeh } from './night-bokeh.ts'
import { createChance } from './noise.ts'
import { office } from './office.ts'
import { room } from './room.ts'
import type { Scene, Wishes } from './scene.ts'
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

/** Scenes lie out of focus or are plain: this many pixels hold all their detail. */
const sceneArea = 300_000

export interface SceneOrder {
  id: SceneId
  width: number
  height: number
  seed: number
  wishes: Wishes
  /** Where light comes from: −1 from the left to 1 from the right. */
  side: number
  /** Multiplies red, green and blue, to suit the subject's light; 1, 1, 1 by default. */
  balance?: readonly [number, number, number]
}

/** Makes a scene as a finished picture; the same order gives the same picture. */
export function renderScene({ id, width, height, seed, wishes, side, balance = [1, 1, 1] }: SceneOrder): Picture {
  const size = fitArea({ width, height }, sceneArea)
  const chance = createChance(seed)
  // Variants differ in their light too.
  const varied = {
    ...wishes,
    warmth: wishes.warmth + chance.between(-0.3, 0.3),
    brightness: wishes.brightness + chance.between(-0.14, 0.14),
  }
  const canvas = scenes[id]({ ...size, chance, wishes: varied, side })
  return develop(canvas, width, height, { wishes: varied, balance, seed })
}
