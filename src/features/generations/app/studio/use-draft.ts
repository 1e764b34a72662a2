import { atom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef } from 'react'
import { markBusy } from '#client/busy.ts'
import { store } from '#client/session.ts'
import { jobsAtom } from '#features/uploads/app/uploads.ts'
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
import { choicesAtom, currentStudio, hasPictures, isDraft, type StudioState } from './studio-state.ts'

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
