import { atom, type PrimitiveAtom } from 'jotai'
import { holdBusy } from '#app/offline/busy.ts'
import { onSignOut, store } from '#app/session.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import type { ShareBox } from '../geometry.ts'
import type { ChosenPicture } from '../picture.ts'

/** How many pictures can be chosen at once. */
export const maxPictures = 20

/** A tool's chosen pictures, options and runs; kept while people visit other pages. */
export interface StudioState {
  pictures: ChosenPicture[]
  params: Record<string, unknown>
  /** Further files by the names of the tool's extras. */
  files: Partial<Record<string, Blob>>
  /** The area marked on the picture, if any. */
  area: ShareBox | null
  /** Whether large pictures are made smaller before they are sent. */
  shrink: boolean
  /** What was started from here and is still looked at. */
  runs: Run[]
}

/** A partial update of the studio state; a function receives the current state. */
export type StudioChange = Partial<StudioState> | ((now: StudioState) => Partial<StudioState>)

/** A picture that was sent: its upload, and its generation once it has arrived. */
export interface Run {
  picture: string
  upload: string
  generation: string | null
}

const storageKey = (tool: string) => `options:${tool}`

/** The options used last; only what the tool still knows, and never what needs a file that is gone. */
function rememberedParams({ facts }: AnyToolPanel): Record<string, unknown> {
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
export function studioStateOf(panel: AnyToolPanel): PrimitiveAtom<StudioState> {
  const known = studios.get(panel.facts.id)
  if (known) return known.state
  const empty = (): StudioState => ({
    pictures: [],
    params: rememberedParams(panel),
    files: {},
    area: null,
    shrink: true,
    runs: [],
  })
  const state = atom(empty())
  studios.set(panel.facts.id, { state, empty })
  holdBusyWhile(state)
  return state
}

/** Pictures that are not sent yet lie in memory only: nothing may reload the app, whatever page somebody looks at. */
function holdBusyWhile(state: PrimitiveAtom<StudioState>): void {
  let release: (() => void) | undefined
  store.sub(state, () => {
    const { pictures, runs } = store.get(state)
    const unsent = pictures.length > 0 && runs.length === 0
    if (unsent) release ??= holdBusy()
    else {
      release?.()
      release = undefined
    }
  })
}

/** Clears pictures and runs; options stay. */
export const freshPictures = { pictures: [], files: {}, area: null, runs: [] } satisfies Partial<StudioState>

onSignOut(() => {
  for (const { state, empty } of studios.values()) store.set(state, empty())
})
