import { atom, type PrimitiveAtom } from 'jotai'
import { holdBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys } from '#client/storage.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { MaskState } from '#ui/mask-editor/mask-state.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import type { DraftFile } from '../draft.ts'

/** A tool's chosen pictures, options and runs; kept while people visit other pages. */
export interface StudioState {
  /** Chosen pictures by the names of the tool's inputs. */
  inputs: Readonly<Record<string, readonly ChosenPicture[]>>
  params: Record<string, unknown>
  /** What was done on the tool's own stage; null before that. */
  stage: unknown
  /** What was drawn for the tool's plane input, over the first picture; null before that. */
  mask: MaskState | null
  /** Whether large pictures are made smaller before they are sent. */
  shrink: boolean
  /** What was started from here and is still shown. */
  runs: Run[]
}

/** What a person set and drew, without the pictures. */
export type StudioSettings = Pick<StudioState, 'params' | 'stage' | 'mask' | 'shrink'>

export const settingsOf = ({ params, stage, mask, shrink }: StudioState): StudioSettings => ({
  params,
  stage,
  mask,
  shrink,
})

/** A chosen picture as a draft keeps it. */
export function draftFile(input: string, { id, original, name, output }: ChosenPicture): DraftFile {
  return { file: new File([original], name, { type: original.type }), input, id, ...(output && { output }) }
}

/** Whether what a draft brought along are a studio's settings. */
export function isSettings(value: unknown): value is StudioSettings {
  return typeof value === 'object' && value !== null && 'params' in value && 'stage' in value
}

/** A partial update of the studio state; a function receives the current state. */
export type StudioChange = Partial<StudioState> | ((now: StudioState) => Partial<StudioState>)

/** A run that was sent: its first picture, its upload, and its generation once it has arrived. */
export interface Run {
  picture: string
  upload: string
  generation: string | null
}

const storageKey = (tool: string) => localKeys.toolOptions + tool

/**
 * The options used last; only what the tool still knows, and never what needs a file that is gone.
 */
function rememberedParams({ facts }: AnyToolPage): Record<string, unknown> {
  const params = { ...facts.defaults }
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(facts.id)) ?? '{}') as Record<string, unknown>
    for (const [name, value] of Object.entries(stored)) {
      const known = facts.defaults[name]
      if (known !== undefined && typeof value === typeof known && !needsFile(value)) params[name] = value
    }
  } catch {
    // Damaged or forbidden storage: the defaults are good.
  }
  return params
}

const needsFile = (value: unknown) =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'image'

export function rememberParams(tool: string, params: Record<string, unknown>): void {
  try {
    localStorage.setItem(storageKey(tool), JSON.stringify(params))
  } catch {
    // A full or forbidden storage only costs the memory of options.
  }
}

const studios = new Map<string, { state: PrimitiveAtom<StudioState>; empty: () => StudioState }>()

/** The state atom of a tool. */
export function studioStateOf(page: AnyToolPage): PrimitiveAtom<StudioState> {
  const known = studios.get(page.facts.id)
  if (known) return known.state
  const empty = (): StudioState => ({ ...noPictures, params: rememberedParams(page), shrink: true })
  const state = atom(empty())
  studios.set(page.facts.id, { state, empty })
  holdBusyWhileUnsent(state)
  return state
}

/** Whether anything has been chosen. */
export const hasPictures = ({ inputs }: Pick<StudioState, 'inputs'>) =>
  Object.values(inputs).some((pictures) => pictures.length > 0)

/**
 * Pictures that are not sent yet exist in memory only: nothing may reload the app, whatever page is
 * shown.
 */
function holdBusyWhileUnsent(state: PrimitiveAtom<StudioState>): void {
  let release: (() => void) | undefined
  store.sub(state, () => {
    const now = store.get(state)
    if (hasPictures(now) && now.runs.length === 0) release ??= holdBusy()
    else {
      release?.()
      release = undefined
    }
  })
}

/** Clears pictures, what was drawn on them, and runs; options stay. */
export const noPictures = { inputs: {}, stage: null, mask: null, runs: [] } satisfies Partial<StudioState>

onSignOut('studios', () => {
  for (const { state, empty } of studios.values()) store.set(state, empty())
})
