import { atom, useAtom, useAtomValue } from 'jotai'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { markBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, readStoredJson, storeJson } from '#client/storage.ts'
import { type Job, jobsAtom, useJobs } from '#features/uploads/app/uploads.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import {
  type Draft,
  deliverDraft,
  deliveriesAtom,
  dropDraft,
  holdDraft,
  isUnsentHere,
  markUnsent,
  saveDraft,
  saveDraftSettings,
  takeDraft,
  unmarkUnsent,
  unsentDraftKey,
} from '../draft.ts'
import { keptParams } from './kept-params.ts'
import {
  currentStudio,
  emptyStudio,
  hasPictures,
  isDraft,
  reduceStudio,
  type StudioEvent,
  type StudioState,
} from './studio-state.ts'

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

export function draftOf(tool: string, { inputs, params, stage, stages, shrink }: StudioState): Draft {
  const files = Object.entries(inputs).flatMap(([input, pictures]) =>
    pictures.map(({ id, original, name, output }) => ({
      file: new File([original], name, { type: original.type }),
      input,
      id,
      ...(output && { output }),
    })),
  )
  return { tool, files, settings: { params, stage, stages, shrink } }
}

const storedSelections = new Set<string>()

export const isSelectionStored = (tool: string): boolean => storedSelections.has(tool)

/** Stores pictures that cannot be read yet. */
export function storeUnreadPictures(draft: Draft): Promise<unknown> {
  markUnsent(draft.tool)
  return saveDraft({ ...draft, tool: unsentDraftKey(draft.tool) })
}

export function dropUnsentPictures(tool: string): Promise<void> {
  storedSelections.delete(tool)
  unmarkUnsent(tool)
  return dropDraft(unsentDraftKey(tool))
}

const saveDelayMs = 400

export function useDraft(
  { definition: { id } }: AnyToolPage,
  state: StudioState,
  isActive: boolean,
  onDraft: (draft: Draft) => Promise<void>,
): void {
  const deliveries = useAtomValue(deliveriesAtom)
  const { inputs, params, stage, stages, shrink } = state
  const ready = isDraft(state)
  const take = useEffectEvent(onDraft)
  const find = useEffectEvent(async () => {
    const here = !hasPictures(state) && isUnsentHere(id)
    const unsent = here ? await takeDraft(unsentDraftKey(id), true) : null
    const delivered = await takeDraft(id)
    // For pictures that left this page and returned, the page's own copy suffices.
    const known = new Set(unsent?.files.map((file) => file.id))
    const isUnchanged = delivered?.files.every((file) => file.id !== undefined && known.has(file.id))
    // Delivered pictures replace current ones, which can be restored.
    return [isUnchanged ? null : unsent, delivered].filter((draft) => draft !== null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again at each delivery
  useEffect(() => {
    if (!isActive) return
    let mounted = true
    // A draft taken from storage would be lost with the page.
    const searching = find().finally(markBusy())
    void searching.then(async (drafts) => {
      for (const draft of drafts) {
        if (mounted) await take(draft)
        // A newer delivery has ended this search; the next one takes both.
        else await deliverDraft(draft)
      }
    })
    return () => {
      mounted = false
    }
  }, [id, deliveries, isActive])

  const kept = useRef(false)
  const keep = useEffectEvent(async () => {
    storedSelections.delete(id)
    const stored = await saveDraft({ ...draftOf(id, state), tool: unsentDraftKey(id) })
    if (stored === true) storedSelections.add(id)
    else if (stored === 'full') void import('./read-files.ts').then(({ tellFullStorage }) => tellFullStorage())
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures make another draft
  useEffect(() => {
    if (ready) {
      kept.current = true
      markUnsent(id)
      void keep()
    } else if (kept.current) {
      kept.current = false
      void dropUnsentPictures(id)
    }
  }, [id, ready, inputs])
  useEffect(() => (ready ? holdDraft(id) : undefined), [id, ready])
  // Pictures need not be written again for each stroke.
  useEffect(() => {
    if (!ready) return
    const write = () => void saveDraftSettings(unsentDraftKey(id), { params, stage, stages, shrink })
    const leave = () => document.visibilityState === 'hidden' && write()
    const timer = setTimeout(write, saveDelayMs)
    document.addEventListener('visibilitychange', leave)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', leave)
    }
  }, [id, ready, params, stage, stages, shrink])
}
