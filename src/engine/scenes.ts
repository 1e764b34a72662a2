/** In display order. */
export const sceneIds = [
  'studio',
  'window-light',
  'night-bokeh',
  'leaves',
  'wood',
  'linen',
  'concrete',
  'brick',
  'garden',
  'office',
  'cafe',
  'curtain',
  'batik',
] as const
export type SceneId = (typeof sceneIds)[number]
