/** The backgrounds that the engine can make, in the order in which people meet them. */
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
