import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import { type Inputs, mainInput } from './inputs.ts'
import type { StudioSettings, StudioState } from './studio-state.ts'

type Page = Pick<AnyToolPage, 'definition' | 'stage'>

const shapeOf = ({ size }: ChosenPicture) => (size ? (size.width / size.height).toFixed(2) : 'unknown')

/** Null where all pictures share one state. */
function keyOf({ stage }: Page, { stages }: Pick<StudioState, 'stages'>, picture: ChosenPicture): string | null {
  if (stage?.batch !== 'by shape') return null
  return picture.id in stages ? picture.id : shapeOf(picture)
}

/** Null before any change. */
export function stageOf(page: Page, state: StudioState, picture: ChosenPicture): unknown {
  const key = keyOf(page, state, picture)
  return key === null ? state.stage : (state.stages[key] ?? null)
}

/** Applies to all pictures of its shape, unless this one has its own state. */
export function withStage(page: Page, state: StudioState, picture: ChosenPicture, done: unknown) {
  const key = keyOf(page, state, picture)
  return (
    key === null ? { stage: done } : { stages: { ...state.stages, [key]: done } }
  ) satisfies Partial<StudioSettings>
}

export const hasOwnMarks = ({ stages }: StudioState, { id }: ChosenPicture): boolean => id in stages

export function setOwnMarks(page: Page, state: StudioState, picture: ChosenPicture, alone: boolean) {
  const { [picture.id]: _, ...stages } = state.stages
  return { stages: alone ? { ...stages, [picture.id]: stageOf(page, state, picture) } : stages }
}

export const countSharingMarks = (pictures: readonly ChosenPicture[], picture: ChosenPicture): number =>
  pictures.filter((other) => shapeOf(other) === shapeOf(picture)).length

export function stateOfGeneration(page: Page, state: StudioState, inputs: Inputs): StudioState {
  const picture = inputs[mainInput(page.definition)]?.[0]
  return { ...state, inputs, ...(picture && { stage: stageOf(page, state, picture) }) }
}
