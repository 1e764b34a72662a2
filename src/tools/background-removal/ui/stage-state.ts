import type { Box } from '#shared/media.ts'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { boxInPixels, type Size } from '#ui/geometry.ts'
import type { BackgroundRemovalParams } from '../contract/definition.ts'

export interface SubjectStage extends Correction {
  marking: boolean
  box: Box | null
}

export const subjectStage = {
  from: ({ box, strokes }: BackgroundRemovalParams, size: Size): SubjectStage => ({
    ...correction.from({ strokes }, size),
    marking: false,
    box: box
      ? {
          x: box.x / size.width,
          y: box.y / size.height,
          width: box.width / size.width,
          height: box.height / size.height,
        }
      : null,
  }),
  params: (state: SubjectStage, size: Size): Partial<BackgroundRemovalParams> => ({
    ...(state.box && { box: boxInPixels(state.box, size) }),
    ...correction.params(state, size),
  }),
  active: ({ brushing, marking, box, mask }: SubjectStage, phase: 'before' | 'after') =>
    brushing || (phase === 'before' && (marking || box !== null || mask.history.strokes.length > 0)),
}
