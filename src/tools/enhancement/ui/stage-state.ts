import type { Box } from '#shared/media.ts'
import type { ToolStage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import type { EnhancementParams } from '../contract/definition.ts'

/** Shares of the sides; null for none. */
export interface DetailStage {
  spot: { x: number; y: number } | null
}

/** Longest side of a detail, in pixels of the picture and of the result. */
const maxDetailSide = { before: 256, after: 512 }

/** At most half of each side, because the device's owner can take its pixels at the paid size. */
export function partAround({ x, y }: NonNullable<DetailStage['spot']>, picture: Size, scale: number): Box {
  const side = Math.min(maxDetailSide.before, maxDetailSide.after / scale)
  const span = (share: number, whole: number) => {
    const length = Math.max(1, Math.min(Math.floor(whole / 2), side))
    return [Math.round(Math.min(whole - length, Math.max(0, share * whole - length / 2))), length] as const
  }
  const [[left, width], [top, height]] = [span(x, picture.width), span(y, picture.height)]
  return { x: left, y: top, width, height }
}

/** Contributes no parameters. */
export const detailStage: Omit<ToolStage<EnhancementParams, DetailStage>, 'component'> = {
  from: () => ({ spot: null }),
  params: () => ({}),
  active: ({ spot }, phase) => phase === 'before' || spot !== null,
}
