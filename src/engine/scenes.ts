/** Surroundings by light probes, photographed or composed, in display order. */
export const locationIds = [
  'lobby',
  'bridge',
  'apartment',
  'esplanade',
  'hall',
  'park',
  'forest',
  'beach',
  'beach-sunset',
  'cafe-terrace',
  'rice-field',
  'sunrise',
  'sunset',
  'venice',
  'sky',
  'city',
  'dawn',
  'night',
  'lab',
  'workshop',
  'warehouse',
  'studio-room',
] as const
export type LocationId = (typeof locationIds)[number]

/** A location that the operator has added. */
export type AddedLocationId = `added-${string}`
export const addedLocationPattern = /^added-(?=[a-z0-9-]{1,40}$)[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * A request keeps this of an added location: results depend on the version alone, whatever becomes
 * of the location.
 */
export interface AddedLocation {
  id: AddedLocationId
  /** Of the stored record; another file or another word is another version. */
  version: number
  name: { id: string; en: string }
  /** Lower case, at most three words each, in both languages. */
  words: readonly string[]
  /** A photograph is a fixed view; a probe can be seen in any direction. */
  kind: 'probe' | 'photo'
  /** In stops. */
  exposure: number
}

/** Drawn walls, cloths and surfaces, in display order. */
export const surfaceIds = [
  'plain',
  'studio',
  'linen',
  'concrete',
  'brick',
  'wood',
  'table',
  'curtain',
  'window-light',
  'batik',
] as const

/** Offered for new results, in display order. */
export const sceneIds = [...locationIds, ...surfaceIds] as const
export type OfferedSceneId = (typeof sceneIds)[number]

/** Drawn scenes that only earlier results render, and the scene that new results get instead. */
export const retiredScenes = {
  'night-bokeh': 'esplanade',
  leaves: 'forest',
  garden: 'park',
  office: 'lobby',
  cafe: 'esplanade',
} as const satisfies Record<string, OfferedSceneId>
export type RetiredSceneId = keyof typeof retiredScenes

/** A scene that new results can show. */
export type ChosenSceneId = OfferedSceneId | AddedLocationId
export type SceneId = ChosenSceneId | RetiredSceneId
export type AnyLocationId = LocationId | AddedLocationId

export const isAddedLocation = (id: string): id is AddedLocationId => id.startsWith('added-')

export function isLocation(id: string): id is AnyLocationId {
  return isAddedLocation(id) || (locationIds as readonly string[]).includes(id)
}

/** The scene that a new result gets for a stored choice. */
export function offeredScene(id: SceneId): ChosenSceneId {
  return id in retiredScenes ? retiredScenes[id as RetiredSceneId] : (id as ChosenSceneId)
}
