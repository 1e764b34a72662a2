import { msg } from '@lingui/core/macro'
import type { Box } from '#shared/media.ts'
import type { Facts } from '#tools/contract/tool.ts'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { boxInPixels, type Size } from '#ui/geometry.ts'
import type { BackgroundRemovalParams } from '../contract/definition.ts'

export interface SubjectStage extends Correction {
  marking: boolean
  box: Box | null
  /** If a person may be missing, in shares of the picture; `picked` are positions in `boxes`. */
  people: { boxes: readonly Box[]; picked: readonly number[] } | null
}

/** The people found by the photo check, all of them picked. */
export function everyoneIn(found: Facts | undefined): SubjectStage['people'] {
  const boxes = found?.people as unknown as readonly Box[] | undefined
  return boxes ? { boxes, picked: boxes.map((_, i) => i) } : null
}

export const subjectStage = {
  from: ({ box, people, strokes }: BackgroundRemovalParams, size: Size): SubjectStage => ({
    ...correction.from({ strokes }, size),
    marking: false,
    box: box ? inShares(box, size) : null,
    people: people ? { boxes: people.map((person) => inShares(person, size)), picked: people.map((_, i) => i) } : null,
  }),
  params: (state: SubjectStage, size: Size): Partial<BackgroundRemovalParams> => ({
    ...markedIn(state, size),
    ...correction.params(state, size),
  }),
  active: ({ brushing, marking, box, people, mask }: SubjectStage, phase: 'before' | 'after') =>
    brushing || (phase === 'before' && (marking || box !== null || people !== null || mask.history.strokes.length > 0)),
  missing: (state: SubjectStage | null) =>
    state?.people?.picked.length === 0 && !state.box ? msg`Ketuk dulu orang yang mau disimpan.` : undefined,
}

function markedIn({ box, people }: SubjectStage, size: Size): Partial<BackgroundRemovalParams> {
  if (box) return { box: boxInPixels(box, size) }
  const picked = people?.picked.toSorted((a, b) => a - b).flatMap((i) => people.boxes[i] ?? []) ?? []
  return picked.length > 0 ? { people: picked.map((person) => boxInPixels(person, size)) } : {}
}

function inShares(box: Box, { width, height }: Size): Box {
  return { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height }
}
