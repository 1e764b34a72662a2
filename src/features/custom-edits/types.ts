import type * as schemas from './schemas.ts'

export type BoardCounts = typeof schemas.boardCountsSchema.infer

export type CustomEditFile = typeof schemas.file.infer

export type CustomEditView = typeof schemas.customEditSchema.infer

export type BoardEditView = typeof schemas.boardEditSchema.infer

export type BoardEditDetail = typeof schemas.boardEditDetailSchema.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    /** Clients refetch their lists, staff's board too. */
    customEdits: Record<string, never>
  }
}
