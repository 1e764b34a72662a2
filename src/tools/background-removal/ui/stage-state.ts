import { msg } from '@lingui/core/macro'
import type { Box } from '#shared/media.ts'
import type { Facts } from '#tools/contract/tool.ts'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { boxInPixels, type Size } from '#ui/geometry.ts'
import type { BackgroundRemovalParams, Tap } from '../contract/definition.ts'

export interface SubjectStage extends Correction {
  marking: boolean
  box: Box | null
  /**
   * If a person may be missing, in shares of the picture; `picked` are positions in `boxes`, `taps`
   * points on further people.
   */
  people: { boxes: readonly Box[]; picked: readonly number[]; taps: readonly Tap[] } | null
  /** True while every tap on the picture adds a person. */
  adding: boolean
}

/** The people found by the photo check, all of them picked. */
export function everyoneIn(found: Facts | undefined): SubjectStage['people'] {
  const boxes = found?.people as unknown as readonly Box[] | undefined
  return boxes ? { boxes, picked: boxes.map((_, i) => i), taps: [] } : null
}

/** Distance, in shares, within which the check's rounded point is the tapped one. */
const samePoint = 0.005

/** Box around the person at a tap, null if there is none, undefined while unknown. */
export function personAt(tap: Tap, found: Facts | undefined): Box | null | undefined {
  const taps = (found?.taps ?? []) as unknown as readonly (Tap & { box: Box | null })[]
  return taps.find(({ x, y }) => Math.hypot(x - tap.x, y - tap.y) < samePoint)?.box
}

export const subjectStage = {
  from: ({ box, people, strokes }: BackgroundRemovalParams, size: Size): SubjectStage => ({
    ...correction.from({ strokes }, size),
    marking: false,
    box: box ? inShares(box, size) : null,
    people: people ? peopleOf(people, size) : null,
    adding: false,
  }),
  params: (state: SubjectStage, size: Size): Partial<BackgroundRemovalParams> => ({
    ...markedIn(state, size),
    ...correction.params(state, size),
  }),
  active: ({ brushing, marking, box, people, mask }: SubjectStage, phase: 'before' | 'after') =>
    brushing || (phase === 'before' && (marking || box !== null || people !== null || mask.history.strokes.length > 0)),
  missing: (state: SubjectStage | null) =>
    state?.people?.picked.length === 0 && state.people.taps.length === 0 && !state.box
      ? msg`Ketuk dulu orang yang mau disimpan.`
      : undefined,
}

function markedIn({ box, people }: SubjectStage, size: Size): Partial<BackgroundRemovalParams> {
  if (box) return { box: boxInPixels(box, size) }
  const picked = people?.picked.toSorted((a, b) => a - b).flatMap((i) => people.boxes[i] ?? []) ?? []
  const taps = people?.taps.map(({ x, y }) => ({ x: pixelAt(x, size.width), y: pixelAt(y, size.height) })) ?? []
  const all = [...picked.map((person) => boxInPixels(person, size)), ...taps]
  return all.length > 0 ? { people: all } : {}
}

const pixelAt = (share: number, length: number) => Math.min(length - 1, Math.floor(share * length))

function peopleOf(people: NonNullable<BackgroundRemovalParams['people']>, size: Size): SubjectStage['people'] {
  const boxes = people.flatMap((one) => ('width' in one ? [inShares(one, size)] : []))
  const taps = people.flatMap((one) => ('width' in one ? [] : [{ x: one.x / size.width, y: one.y / size.height }]))
  return { boxes, picked: boxes.map((_, i) => i), taps }
}

function inShares(box: Box, { width, height }: Size): Box {
  return { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height }
}
