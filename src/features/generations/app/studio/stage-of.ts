import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import { mainInput } from './inputs.ts'
import type { Inputs, StudioSettings, StudioState } from './studio-state.ts'

type Page = Pick<AnyToolPage, 'definition' | 'stage'>

/** Pictures of the same proportions, however large. */
const shapeOf = ({ size }: ChosenPicture) => (size ? (size.width / size.height).toFixed(2) : 'unknown')

/** Under what the state of a picture's stage is held; null where all pictures have the same. */
function keyOf({ stage }: Page, { stages }: Pick<StudioState, 'stages'>, picture: ChosenPicture): string | null {
  if (stage?.batch !== 'by shape') return null
  return picture.id in stages ? picture.id : shapeOf(picture)
}

/** What was done on the stage for a picture; null before that. */
export function stageOf(page: Page, state: StudioState, picture: ChosenPicture): unknown {
  const key = keyOf(page, state, picture)
  return key === null ? state.stage : (state.stages[key] ?? null)
}

/** The same with something else done for it, and for all of its shape unless it has its own. */
export function withStage(page: Page, state: StudioState, picture: ChosenPicture, done: unknown) {
  const key = keyOf(page, state, picture)
  return (
    key === null ? { stage: done } : { stages: { ...state.stages, [key]: done } }
  ) satisfies Partial<StudioSettings>
}

/** Whether a picture of a batch has marks of its own; it begins with those of its shape. */
export const isAlone = ({ stages }: StudioState, { id }: ChosenPicture): boolean => id in stages

export function setAlone(page: Page, state: StudioState, picture: ChosenPicture, alone: boolean) {
  const { [picture.id]: _, ...stages } = state.stages
  return { stages: alone ? { ...stages, [picture.id]: stageOf(page, state, picture) } : stages }
}

/** Pictures of the same shape, which share their marks. */
export const countAlike = (pictures: readonly ChosenPicture[], picture: ChosenPicture): number =>
  pictures.filter((other) => shapeOf(other) === shapeOf(picture)).length

/** The studio as it is for one run of a batch, or for the only one. */
export function stateOfRun(page: Page, state: StudioState, inputs: Inputs): StudioState {
  const picture = inputs[mainInput(page.definition)]?.[0]
  return { ...state, inputs, ...(picture && { stage: stageOf(page, state, picture) }) }
}
