import { type Correction, correction } from '#tools/ui/correction.ts'
import type { ToolStage } from '#tools/ui/page.ts'
import { type BackgroundDiffusionParams, scaleLimits } from '../contract/definition.ts'

export interface PlacementStage extends Correction {
  moving: boolean
  scale: number
  x: number
  y: number
}

const within = (value: number, low: number, high: number) =>
  Math.round(1000 * Math.min(high, Math.max(low, value))) / 1000

export function clampPlacement<Placement extends Pick<PlacementStage, 'scale' | 'x' | 'y'>>(
  placement: Placement,
): Placement {
  const { scale, x, y } = placement
  return {
    ...placement,
    scale: within(scale, scaleLimits.min, scaleLimits.max),
    x: within(x, -1, 1),
    y: within(y, -1, 1),
  }
}

export const placementStage: Omit<ToolStage<BackgroundDiffusionParams, PlacementStage>, 'component'> = {
  from: ({ scale, x, y, strokes }, size) => ({ ...correction.from({ strokes }, size), moving: false, scale, x, y }),
  params: (state, size) => ({ scale: state.scale, x: state.x, y: state.y, ...correction.params(state, size) }),
  active: ({ moving, brushing }) => moving || brushing,
}
