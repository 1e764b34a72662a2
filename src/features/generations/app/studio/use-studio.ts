import { atom, useAtom } from 'jotai'
import { useCallback, useMemo } from 'react'
import { markBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, readStoredJson, storeJson } from '#client/storage.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { keptParams } from './kept-params.ts'
import { emptyStudio, phaseOf, reduceStudio, type StudioEvent } from './studio-reducer.ts'
import type { StudioState } from './studio-state.ts'
import { isSelectionStored } from './use-draft.ts'

export type Dispatch = (event: StudioEvent) => void

export interface StudioProps {
  page: AnyToolPage
  state: StudioState
  dispatch: Dispatch
}

/** Kept while the user visits other pages. */
const studiosAtom = atom<Readonly<Record<string, StudioState>>>({})

export function useStudio(page: AnyToolPage): [StudioState, Dispatch] {
  const { id } = page.definition
  const [studios, setStudios] = useAtom(studiosAtom)
  const untouched = useMemo(() => emptyStudio(rememberedParams(page)), [page])
  const dispatch = useCallback(
    (event: StudioEvent) => setStudios((all) => ({ ...all, [id]: reduceStudio(page, all[id] ?? untouched, event) })),
    [page, id, untouched, setStudios],
  )
  return [studios[id] ?? untouched, dispatch]
}

const toolsWithPictures = () =>
  Object.entries(store.get(studiosAtom)).flatMap(([tool, studio]) => (phaseOf(studio) === 'ready' ? [tool] : []))

// A reload would lose unsent pictures.
let release: (() => void) | undefined
store.sub(studiosAtom, () => {
  if (toolsWithPictures().length > 0) release ??= markBusy(() => toolsWithPictures().every(isSelectionStored))
  else {
    release?.()
    release = undefined
  }
})

// A user who only has to sign in again continues with the same state.
onSignOut('studios', (reason) => {
  if (reason !== 'ended') store.set(studiosAtom, {})
})

const storageKey = (tool: string) => localKeys.toolOptions + tool

export const rememberParams = (tool: string, params: Record<string, unknown>): void =>
  storeJson(storageKey(tool), params)

const rememberedParams = ({ definition }: AnyToolPage): Record<string, unknown> => ({
  ...definition.defaults,
  ...keptParams(definition, readStoredJson(storageKey(definition.id)) ?? {}),
})
