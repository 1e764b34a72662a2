import type { Surroundings } from '#engine/image/light-probe.ts'
import type { Picture } from '#engine/image/picture.ts'
import { type AnyLocationId, isLocation, type RetiredSceneId, type SceneId } from '../../scenes.ts'
import type { LinearRgb } from './canvas.ts'
import { developScene, type SceneRequest } from './develop-scene.ts'
import { batik, cafe, office, studio, windowLight } from './interiors.ts'
import { cameraOf, renderLocation, type SubjectCamera } from './locations.ts'
import { garden, leaves, nightBokeh } from './outdoors.ts'
import { lightOf, type Scene, srgbOf } from './scene.ts'
import { brick, concrete, curtain, layTable, linen, tableRoom, wood } from './surfaces.ts'

type DrawnId = Exclude<SceneId, AnyLocationId | 'plain' | 'table'>

const scenes: Readonly<Record<DrawnId, Scene>> = {
  studio,
  'window-light': windowLight,
  wood,
  linen,
  concrete,
  brick,
  curtain,
  batik,
  'night-bokeh': nightBokeh,
  leaves,
  garden,
  office,
  cafe,
} satisfies Record<RetiredSceneId, Scene> & Record<string, Scene>

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

interface BackgroundRequest extends Omit<SceneRequest, 'floor'> {
  id: SceneId
  /** By default the camera for a thing. */
  camera?: SubjectCamera
}

/** The location whose surroundings {@link renderScene} needs. */
export function shownLocation(id: SceneId): AnyLocationId | undefined {
  return isLocation(id) ? id : id === 'table' ? tableRoom : undefined
}

/** `around` is that of {@link shownLocation}; without it a location cannot be rendered. */
export function renderScene({ id, ...order }: BackgroundRequest, around?: Surroundings): Picture {
  if (id === 'plain') return renderPlain(order)
  if (!isLocation(id) && id !== 'table') return developScene(scenes[id], { ...order, floor: floors[id] })
  if (!around) throw new RangeError(`the scene ${id} needs its surroundings`)
  const camera = order.camera ?? cameraOf(order)
  if (isLocation(id)) return renderLocation(around, { ...order, id, camera })
  const behind = renderLocation(around, { ...order, id: tableRoom, camera, wishes: { ...order.wishes, blur: 1 } })
  return layTable(behind, order)
}

/** Exact values of colours that drawn scenes show less extreme. */
const exact = new Map([
  ['#e9e7e3', '#ffffff'],
  ['#26272b', '#000000'],
])

/** One even colour without light, grain or shadow; white by default. */
function renderPlain({ width, height, wishes }: Pick<SceneRequest, 'width' | 'height' | 'wishes'>): Picture {
  const hex = ([255, 255, 255] as const).map((_, c) => {
    const light = wishes.colours[0]?.[c] ?? 1
    return Math.round(255 * srgbOf(light))
  })
  const name = `#${hex.map((level) => level.toString(16).padStart(2, '0')).join('')}`
  const value = Number.parseInt((exact.get(name) ?? name).slice(1), 16)
  const data = new Uint8ClampedArray(4 * width * height)
  const pixels = new Uint32Array(data.buffer)
  new Uint8ClampedArray(pixels.buffer, 0, 4).set([value >> 16, (value >> 8) & 255, value & 255, 255])
  pixels.fill(pixels[0] as number)
  return { width, height, data }
}
