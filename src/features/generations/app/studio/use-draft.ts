import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef } from 'react'
import { holdBusy } from '#client/busy.ts'
import { sessionKeys } from '#client/storage.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import {
  type Draft,
  deliverDraft,
  deliveriesAtom,
  dropDraft,
  saveDraft,
  saveDraftSettings,
  takeDraft,
} from '../draft.ts'
import { phaseOf } from './studio-reducer.ts'
import type { StudioState } from './studio-state.ts'

/** What is not sent yet lies apart from what other pages leave for the tool. */
const unsentOf = (tool: string) => `${tool}:unsent`
/**
 * Marks the tab in which pictures were chosen: it outlives a reload, and the camera's eviction of
 * the page, but not the tab.
 */
const tabKey = (tool: string) => sessionKeys.unsentPictures + tool

/** What is chosen, set and drawn in a studio, to be found there again. */
export function draftOf(tool: string, { inputs, params, stage, stages, shrink }: StudioState): Draft {
  const files = Object.entries(inputs).flatMap(([input, pictures]) =>
    pictures.map(({ id, original, name, output }) => ({
      file: new File([original], name, { type: original.type }),
      ...{ input, id, ...(output && { output }) },
    })),
  )
  return { tool, files, settings: { params, stage, stages, shrink } }
}

/** Keeps pictures that cannot be looked into yet, to be found where they were chosen. */
export function keepUnread(draft: Draft): Promise<void> {
  sessionStorage.setItem(tabKey(draft.tool), '1')
  return saveDraft({ ...draft, tool: unsentOf(draft.tool) })
}

export function dropUnsent(tool: string): Promise<void> {
  sessionStorage.removeItem(tabKey(tool))
  return dropDraft(unsentOf(tool))
}

/** Milliseconds without a change after which what was set and drawn is written. */
const pause = 400

/**
 * Gives the studio what waits for it, now and whenever more is delivered, and keeps on the device
 * what is chosen here until it is sent or put away.
 */
export function useDraft(
  { definition: { id } }: AnyToolPage,
  state: StudioState,
  /** Whether pictures are wanted: no result is looked at. */
  looking: boolean,
  onDraft: (draft: Draft) => Promise<void>,
): void {
  const deliveries = useAtomValue(deliveriesAtom)
  const { inputs, params, stage, stages, shrink } = state
  const ready = phaseOf(state) === 'ready'
  const take = useEffectEvent(onDraft)
  const find = useEffectEvent(async () => {
    const here = phaseOf(state) === 'empty' && sessionStorage.getItem(tabKey(id)) !== null
    const unsent = here ? await takeDraft(unsentOf(id), true) : null
    const brought = await takeDraft(id)
    // Of pictures that left this page and came back, the page's own copy is enough.
    const known = new Set(unsent?.files.map((file) => file.id))
    const again = brought?.files.every((file) => file.id !== undefined && known.has(file.id))
    // What came from elsewhere takes the place of what was here, which can be had back.
    return [again ? null : unsent, brought].filter((draft) => draft !== null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a delivery is looked for when there is one
  useEffect(() => {
    if (!looking) return
    let mounted = true
    // What is taken from the device would be lost with the page.
    const looked = find().finally(holdBusy())
    void looked.then(async (drafts) => {
      for (const draft of drafts) {
        if (mounted) await take(draft)
        // A delivery that came meanwhile has ended this look; the next one takes both.
        else await deliverDraft(draft)
      }
    })
    return () => {
      mounted = false
    }
  }, [id, deliveries, looking])

  const kept = useRef(false)
  const keep = useEffectEvent(() => saveDraft({ ...draftOf(id, state), tool: unsentOf(id) }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures are another draft
  useEffect(() => {
    if (ready) {
      kept.current = true
      sessionStorage.setItem(tabKey(id), '1')
      void keep()
    } else if (kept.current) {
      kept.current = false
      void dropUnsent(id)
    }
  }, [id, ready, inputs])
  // The pictures need not be written again for each stroke.
  useEffect(() => {
    if (!ready) return
    const write = () => void saveDraftSettings(unsentOf(id), { params, stage, stages, shrink })
    const leave = () => document.visibilityState === 'hidden' && write()
    const timer = setTimeout(write, pause)
    document.addEventListener('visibilitychange', leave)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', leave)
    }
  }, [id, ready, params, stage, stages, shrink])
}
