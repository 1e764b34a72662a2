/** Photographed surroundings (light probes), in display order. */
export const locationIds = [
  'lobby',
  'bridge',
  'apartment',
  'esplanade',
  'hall',
  'park',
  'forest',
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

export type SceneId = OfferedSceneId | RetiredSceneId

export function isLocation(id: string): id is LocationId {
  return (locationIds as readonly string[]).includes(id)
}

/** The scene that a new result gets for a stored choice. */
export function offeredScene(id: SceneId): OfferedSceneId {
  return id in retiredScenes ? retiredScenes[id as RetiredSceneId] : (id as OfferedSceneId)
}
