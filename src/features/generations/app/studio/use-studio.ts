import { atom, useAtom } from 'jotai'
import { useCallback, useMemo } from 'react'
import { markBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, readStoredJson, storeJson } from '#client/storage.ts'
import { type Job, jobsAtom, useJobs } from '#features/uploads/app/uploads.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { keptParams } from './kept-params.ts'
import {
  currentStudio,
  emptyStudio,
  isDraft,
  reduceStudio,
  type StudioEvent,
  type StudioState,
} from './studio-state.ts'
import { isSelectionStored } from './use-draft.ts'

export type Dispatch = (event: StudioEvent) => void

export interface StudioProps {
  page: AnyToolPage
  state: StudioState
  dispatch: Dispatch
}

/** The user's choices by tool, kept while the user visits other pages. */
const choicesAtom = atom<Readonly<Record<string, StudioState>>>({})

/** `shown`: the result of the page's address. */
export function useStudio(
  page: AnyToolPage,
  shown: string | null,
): { state: StudioState; jobs: Job[]; dispatch: Dispatch } {
  const { id } = page.definition
  const [choices, setChoices] = useAtom(choicesAtom)
  const untouched = useMemo(() => emptyStudio(rememberedParams(page)), [page])
  const chosen = choices[id] ?? untouched
  const jobs = useJobs(chosen.generations.map(({ job }) => job))
  const dispatch = useCallback(
    (event: StudioEvent) =>
      setChoices((all) => {
        const chosen = all[id] ?? untouched
        return { ...all, [id]: reduceStudio(page, currentStudio(chosen, jobsOf(chosen), shown), event) }
      }),
    [page, id, untouched, shown, setChoices],
  )
  return { state: currentStudio(chosen, jobs, shown), jobs, dispatch }
}

const jobsOf = ({ generations }: StudioState): Job[] => generations.map(({ job }) => store.get(jobsAtom)(job))

const draftsAtom = atom((get) =>
  Object.entries(get(choicesAtom)).flatMap(([tool, { generations, ...choices }]) => {
    const jobs = generations.map(({ job }) => get(jobsAtom)(job))
    return isDraft(currentStudio({ ...choices, generations }, jobs, null)) ? [tool] : []
  }),
)

// A reload would lose unsent pictures.
let release: (() => void) | undefined
store.sub(draftsAtom, () => {
  if (store.get(draftsAtom).length > 0) release ??= markBusy(() => store.get(draftsAtom).every(isSelectionStored))
  else {
    release?.()
    release = undefined
  }
})

// A user who only has to sign in again continues with the same state.
onSignOut('studios', (reason) => {
  if (reason !== 'ended') store.set(choicesAtom, {})
})

const storageKey = (tool: string) => localKeys.toolOptions + tool

export const rememberParams = (tool: string, params: Record<string, unknown>): void =>
  storeJson(storageKey(tool), params)

const rememberedParams = ({ definition }: AnyToolPage): Record<string, unknown> => ({
  ...definition.defaults,
  ...keptParams(definition, readStoredJson(storageKey(definition.id)) ?? {}),
})
