import type { AddedLocation } from '#engine/scenes.ts'
import type * as schemas from './schemas.ts'
import type { Facts } from './tool.ts'

export type FaceView = typeof schemas.faceView.infer
export type CheckItemView = typeof schemas.checkItemView.infer
/** 200 of POST /api/tools/{tool}/check */
export type PhotoCheckView = Omit<typeof schemas.photoCheckView.infer, 'facts'> & { facts: Facts }
/** GET /api/tools */
export type ToolView = typeof schemas.toolView.infer

/** A location on offer; `picture` is the address of a sample. */
export interface OfferedLocation extends AddedLocation {
  picture: string
}
