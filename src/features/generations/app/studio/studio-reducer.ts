import type { AnyToolPage } from '#tools/ui/page.ts'
import { type GenerationStatus, openStatuses } from '../../rules.ts'
import type { ChosenPicture } from '../picture.ts'
import { distribute, mainInput } from './inputs.ts'
import { areSamples } from './samples.ts'
import type { FileRequest, Inputs, Run, RunChange, StudioSettings, StudioState } from './studio-state.ts'
import { toolFiles } from './tool-files.ts'

type SettingsChange = Partial<StudioSettings> | ((now: StudioState) => Partial<StudioSettings>)

export type StudioEvent =
  /** Without an input, any with space takes them. `afresh` replaces the input's files, or all. */
  | ({ type: 'picked'; picked: readonly PickedPictures[]; settings?: Partial<StudioSettings> } & FileRequest)
  | { type: 'rearranged'; input: string; files: (now: readonly ChosenPicture[]) => readonly ChosenPicture[] }
  | { type: 'changed'; settings: SettingsChange }
  | { type: 'started'; runs: readonly Run[] }
  | { type: 'arrived'; job: string; result: string }
  | { type: 'cancelled' }
  /** `help` is already applied. */
  | { type: 'triedAgain'; picture: ChosenPicture; help?: RunChange | undefined }
  /** Options stay. */
  | { type: 'startedAgain' }
  | { type: 'restored' }
  | { type: 'combined' }

export interface PickedPictures {
  input: string | undefined
  pictures: readonly ChosenPicture[]
}

/** The state of an `arrived` generation comes from the server: see runPhase. */
export function phaseOf({ inputs, runs }: Pick<StudioState, 'inputs' | 'runs'>) {
  if (runs.length > 0) return runs.every(({ result }) => result) ? 'arrived' : 'uploading'
  return Object.values(inputs).some((pictures) => pictures.length > 0) ? 'ready' : 'empty'
}

export function runPhase(status: GenerationStatus) {
  if ((openStatuses as readonly string[]).includes(status)) return 'running'
  return status === 'succeeded' ? 'done' : 'failed'
}

const emptySelection = { inputs: {}, stage: null, stages: {}, runs: [], replaced: null } satisfies Partial<StudioState>

/** Keeps the options; unsent pictures of the user can be restored. */
function cleared(state: StudioState): StudioState {
  const { inputs, params, stage, stages } = state
  const phase = phaseOf(state)
  const own = phase === 'ready' && !areSamples(inputs) ? { inputs, params, stage, stages } : null
  return { ...state, ...emptySelection, replaced: phase === 'empty' ? state.replaced : own }
}

export const emptyStudio = (params: StudioState['params']): StudioState => ({ ...emptySelection, params, shrink: true })

export function remainingInputs(inputs: Inputs, { input, afresh }: FileRequest): Inputs {
  if (!afresh) return inputs
  return input === undefined ? {} : { ...inputs, [input]: [] }
}

export function withAddedPictures(page: Page, before: Inputs, picked: readonly PickedPictures[]) {
  let [inputs, left] = [before, 0]
  for (const { input, pictures } of picked) {
    const next = distribute(page, inputs, pictures, input)
    inputs = next.inputs
    left += next.left
  }
  return { inputs, left }
}

type Page = Pick<AnyToolPage, 'definition' | 'panelInputs' | 'stage'>

export function reduceStudio(page: Page, state: StudioState, event: StudioEvent): StudioState {
  switch (event.type) {
    case 'picked': {
      const { afresh, input } = event
      const before = (afresh && input === undefined) || state.runs.length > 0 ? cleared(state) : state
      const { inputs } = withAddedPictures(page, remainingInputs(before.inputs, event), event.picked)
      return { ...withFiles(page, before, inputs), ...event.settings }
    }
    case 'rearranged': {
      const files = event.files(state.inputs[event.input] ?? [])
      return withFiles(page, state, { ...state.inputs, [event.input]: files })
    }
    case 'changed':
      return { ...state, ...(typeof event.settings === 'function' ? event.settings(state) : event.settings) }
    case 'started':
      return { ...state, runs: event.runs, replaced: null }
    case 'arrived': {
      const runs = state.runs.map((run) => (run.job === event.job ? { ...run, result: event.result } : run))
      return { ...state, runs }
    }
    case 'cancelled':
      return { ...state, runs: [] }
    case 'triedAgain':
      return tryAgain(page, state, event.picture, event.help)
    case 'startedAgain':
      return cleared(state)
    case 'restored':
      return { ...cleared(state), ...state.replaced }
    case 'combined': {
      const files = Object.entries(state.inputs).map(([input, pictures]) => ({ input, pictures }))
      const { inputs } = withAddedPictures(page, state.replaced?.inputs ?? {}, files)
      return { ...withFiles(page, state, inputs), replaced: null }
    }
  }
}

/** Drawings are removed with their picture if it was the only one. */
function withFiles({ definition }: Page, state: StudioState, inputs: Inputs): StudioState {
  const main = mainInput(definition)
  const [before = [], after = []] = [state.inputs[main], inputs[main]]
  const gone = before.length < 2 && before[0]?.id !== after[0]?.id
  return { ...state, inputs, ...(gone && { stage: null, stages: {} }) }
}

function tryAgain(
  { definition, stage }: Page,
  state: StudioState,
  picture: ChosenPicture,
  help?: RunChange,
): StudioState {
  const main = mainInput(definition)
  const inputs = definition.batch ? { ...state.inputs, [main]: [picture] } : state.inputs
  const params = { ...state.params, ...help?.params }
  const files = toolFiles({ ...state, inputs })
  const size = files[main]?.[0]?.size
  const helped = help?.stage && stage && size && { stage: help.stage(state.stage ?? stage.from(params, size, files)) }
  return { ...state, runs: [], inputs, params, ...helped }
}
