import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { UploadItem, UploadState } from '#features/uploads/app/uploads.ts'
import type { AnyToolPage, Recovery } from '#tools/ui/page.ts'
import { type GenerationStatus, isOpenStatus, type openStatuses } from '../../rules.ts'
import { type ChosenPicture, isVideo } from '../picture.ts'
import { askedInputs, type Inputs, mainInput, maxFiles, toolFiles } from './inputs.ts'
import { areSamples } from './sample-photos.tsx'

export interface StudioSettings {
  params: Record<string, unknown>
  /** Null before any change. */
  stage: unknown
  /** By shape or picture id, where pictures have their own. */
  stages: Readonly<Record<string, unknown>>
  shrink: boolean
}

/** The user's choices. Phases follow from the upload queue and the server: see phaseOf. */
export interface StudioState extends StudioSettings {
  inputs: Inputs
  /** Restorable until the next generation. */
  replaced: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'stages'> | null
  generations: readonly StartedGeneration[]
}

export interface StartedGeneration {
  /** Id of the main picture. */
  picture: string
  /** Id of the upload item. */
  job: string
  /** The user has seen its result at the result's address. */
  opened?: true
}

export type GenerationRecovery = Recovery<Record<string, unknown>>

export interface FileRequest {
  input?: string | undefined
  afresh?: boolean
}

type SettingsChange = Partial<StudioSettings> | ((now: StudioState) => Partial<StudioSettings>)

export type StudioEvent =
  /** Without an input, any with space takes them. `afresh` replaces the input's files, or all. */
  | ({ type: 'picked'; picked: readonly PickedPictures[]; settings?: Partial<StudioSettings> } & FileRequest)
  | { type: 'rearranged'; input: string; files: (now: readonly ChosenPicture[]) => readonly ChosenPicture[] }
  | { type: 'exchanged' }
  | { type: 'changed'; settings: SettingsChange }
  | { type: 'started'; generations: readonly StartedGeneration[] }
  | { type: 'opened' }
  | { type: 'cancelled' }
  /** `help` is already applied. */
  | { type: 'triedAgain'; picture: ChosenPicture; help?: GenerationRecovery | undefined }
  /** Options stay. */
  | { type: 'startedAgain' }
  | { type: 'restored' }
  | { type: 'combined' }

export type Dispatch = (event: StudioEvent) => void

export interface StudioProps {
  page: AnyToolPage
  state: StudioState
  dispatch: Dispatch
}

/** The user's choices by tool, kept while the user visits other pages. */
export const choicesAtom = atom<Readonly<Record<string, StudioState>>>({})

// A user who only has to sign in again continues with the same state.
onSignOut('studios', (reason) => {
  if (reason !== 'ended') store.set(choicesAtom, {})
})

export interface PickedPictures {
  input: string | undefined
  pictures: readonly ChosenPicture[]
}

/** `lost`: cancelled in the upload list or in another tab. */
type GenerationPhase =
  | 'queued'
  | 'sending'
  | 'awaitingUser'
  | 'cancelling'
  | 'lost'
  | 'arrived'
  | 'running'
  | Exclude<GenerationStatus, (typeof openStatuses)[number]>

const uploadPhases: Record<UploadState, GenerationPhase> = {
  waiting: 'queued',
  sending: 'sending',
  sign_in: 'awaitingUser',
  credits: 'awaitingUser',
  confirm: 'awaitingUser',
  refused: 'awaitingUser',
  unreadable: 'awaitingUser',
  cancelling: 'cancelling',
  sent: 'arrived',
}

type JobState = { upload: Pick<UploadItem, 'state'> | undefined; resultId: string | null }

/** `generation`: the server's answer, once known. */
export function generationPhase(
  { upload, resultId }: JobState,
  generation?: { status: GenerationStatus },
): GenerationPhase {
  if (generation) return isOpenStatus(generation.status) ? 'running' : generation.status
  if (resultId !== null) return 'arrived'
  return upload ? uploadPhases[upload.state] : 'lost'
}

/** The server's answer to a single generation is read where it is shown: see generationPhase. */
export function phaseOf(
  { inputs, generations }: Pick<StudioState, 'inputs' | 'generations'>,
  jobs: readonly JobState[],
): 'empty' | 'ready' | 'batch' | GenerationPhase {
  if (generations.length > 1) return 'batch'
  const [job] = jobs
  if (generations.length === 1 && job) {
    const phase = generationPhase(job)
    if (phase !== 'lost') return phase
  }
  return hasPictures({ inputs }) ? 'ready' : 'empty'
}

export const hasPictures = ({ inputs }: Pick<StudioState, 'inputs'>): boolean =>
  Object.values(inputs).some((pictures) => pictures.length > 0)

/** Pictures that no generation has. */
export const isDraft = (state: Pick<StudioState, 'inputs' | 'generations'>): boolean =>
  state.generations.length === 0 && hasPictures(state)

/**
 * The choices that still apply. A single lost generation leaves its pictures as a draft. A result
 * that was opened leaves an empty studio at the tool's plain address (`shown` is null).
 */
export function currentStudio(chosen: StudioState, jobs: readonly JobState[], shown: string | null): StudioState {
  const [generation, another] = chosen.generations
  if (!generation || another) return chosen
  if (generation.opened) return shown === null ? cleared(chosen) : chosen
  return jobs[0] && generationPhase(jobs[0]) === 'lost' ? { ...chosen, generations: [] } : chosen
}

const emptySelection = {
  inputs: {},
  stage: null,
  stages: {},
  generations: [],
  replaced: null,
} satisfies Partial<StudioState>

/** Keeps the options; unsent pictures of the user can be restored. */
function cleared(state: StudioState): StudioState {
  const { inputs, params, stage, stages } = state
  if (!hasPictures(state) && state.generations.length === 0)
    return { ...state, ...emptySelection, replaced: state.replaced }
  const own = isDraft(state) && !areSamples(inputs) ? { inputs, params, stage, stages } : null
  return { ...state, ...emptySelection, replaced: state.generations.length > 0 ? state.replaced : own }
}

export const emptyStudio = (params: StudioState['params']): StudioState => ({ ...emptySelection, params, shrink: true })

export function remainingInputs(inputs: Inputs, { input, afresh }: FileRequest): Inputs {
  if (!afresh) return inputs
  return input === undefined ? {} : { ...inputs, [input]: [] }
}

/** Fills the named input, else the inputs in order, each of which first gets its minimum. */
export function distribute(
  page: Pick<AnyToolPage, 'definition' | 'panelInputs'>,
  inputs: Inputs,
  chosen: readonly ChosenPicture[],
  wanted?: string,
): { inputs: Inputs; left: number } {
  const names = wanted === undefined ? askedInputs(page).map(([name]) => name) : [wanted]
  const next: Record<string, readonly ChosenPicture[]> = { ...inputs }
  let rest = [...chosen]
  const fill = (name: string, count: number) => {
    const held = next[name] ?? []
    const fitting = rest.filter((file) => isVideo(file) === (page.definition.inputs[name]?.kind === 'video'))
    const placed = fitting.slice(0, Math.max(0, count - held.length))
    if (placed.length === 0) return
    next[name] = [...held, ...placed]
    rest = rest.filter((file) => !placed.includes(file))
  }
  for (const name of names) fill(name, page.definition.inputs[name]?.min ?? 0)
  for (const name of names) fill(name, maxFiles(page.definition, name))
  return { inputs: next, left: rest.length }
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
      const before = (afresh && input === undefined) || state.generations.length > 0 ? cleared(state) : state
      const { inputs } = withAddedPictures(page, remainingInputs(before.inputs, event), event.picked)
      return { ...withFiles(page, before, inputs), ...event.settings }
    }
    case 'rearranged': {
      const files = event.files(state.inputs[event.input] ?? [])
      return withFiles(page, state, { ...state.inputs, [event.input]: files })
    }
    case 'exchanged':
      return canExchange(page, state) ? withFiles(page, state, exchanged(page, state)) : state
    case 'changed':
      return { ...state, ...(typeof event.settings === 'function' ? event.settings(state) : event.settings) }
    case 'started':
      return { ...state, generations: event.generations, replaced: notStarted(page, state, event.generations) }
    case 'opened':
      return { ...state, generations: state.generations.map((generation) => ({ ...generation, opened: true })) }
    case 'cancelled':
      return { ...state, generations: [] }
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

function exchanged(page: Page, { inputs }: StudioState): Inputs {
  const [[one] = [''], [other] = ['']] = askedInputs(page)
  return { ...inputs, [one]: inputs[other] ?? [], [other]: inputs[one] ?? [] }
}

/** Two inputs have files that the other one takes as well. */
export function canExchange(page: Page, state: StudioState): boolean {
  const asked = askedInputs(page)
  const files = exchanged(page, state)
  const fits = ([name]: (typeof asked)[number]) => {
    const count = files[name]?.length ?? 0
    return count > 0 && count <= maxFiles(page.definition, name)
  }
  return asked.length === 2 && asked[0]?.[1].kind === asked[1]?.[1].kind && asked.every(fits)
}

/** Pictures of a batch that wait until the credits pay for them, too. */
function notStarted(
  { definition }: Page,
  { inputs, params, stage, stages }: StudioState,
  started: readonly StartedGeneration[],
): StudioState['replaced'] {
  const main = mainInput(definition)
  const each = (definition.batch && definition.inputs[main]?.max) || Number.POSITIVE_INFINITY
  const left = (inputs[main] ?? []).slice(each * started.length)
  return left.length > 0 ? { inputs: { ...inputs, [main]: left }, params, stage, stages } : null
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
  help?: GenerationRecovery,
): StudioState {
  const main = mainInput(definition)
  const inputs = definition.batch ? { ...state.inputs, [main]: [picture] } : state.inputs
  const params = { ...state.params, ...help?.params }
  const files = toolFiles({ ...state, inputs })
  const size = files[main]?.[0]?.size
  const helped = help?.stage && stage && size && { stage: help.stage(state.stage ?? stage.from(params, size, files)) }
  return { ...state, generations: [], inputs, params, ...helped }
}
