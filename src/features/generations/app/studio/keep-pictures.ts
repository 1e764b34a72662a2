import { useEffect, useRef } from 'react'
import { sessionKeys } from '#client/storage.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { type Draft, dropDraft, saveDraft, saveDraftSettings, takeDraft } from '../draft.ts'
import { draftFile, hasPictures, type StudioSettings, type StudioState, settingsOf } from './studio-state.ts'

/** Apart from what other pages leave for the tool. */
const nameOf = (tool: string) => `${tool}:unsent`
/**
 * The tab in which they were chosen; it outlives a reload, and the camera's eviction of the page,
 * but not the tab.
 */
const tabKey = (tool: string) => sessionKeys.unsentPictures + tool

/**
 * Chosen pictures that are not sent yet, as they were before the page was loaded anew in this tab;
 * once.
 */
export async function takeUnsent(tool: string): Promise<Draft | null> {
  return sessionStorage.getItem(tabKey(tool)) === null ? null : await takeDraft(nameOf(tool))
}

/** Keeps the chosen pictures on the device until they are sent or put away. */
export function useKeepPictures({ facts }: AnyToolPage, state: StudioState): void {
  const { id } = facts
  const kept = useRef(false)
  const unsent = state.runs.length === 0 && hasPictures(state)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is set and drawn is written by itself, below
  useEffect(() => {
    if (unsent) {
      kept.current = true
      sessionStorage.setItem(tabKey(id), '1')
      const files = Object.entries(state.inputs).flatMap(([input, pictures]) =>
        pictures.map((picture) => draftFile(input, picture)),
      )
      void saveDraft({ tool: nameOf(id), files, settings: settingsOf(state) })
    } else if (kept.current) {
      kept.current = false
      sessionStorage.removeItem(tabKey(id))
      void dropDraft(nameOf(id))
    }
  }, [id, unsent, state.inputs])
  useKeepSettings(nameOf(id), unsent, settingsOf(state))
}

/**
 * Milliseconds without a change after which what was set and drawn is written; at once when the
 * page is left.
 */
const pause = 400

/** Keeps options and strokes beside the pictures. */
function useKeepSettings(tool: string, unsent: boolean, settings: StudioSettings): void {
  const latest = useRef(settings)
  latest.current = settings
  const { params, stage, mask, shrink } = settings
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when one of its parts changes
  useEffect(() => {
    if (!unsent) {
      first.current = true
      return
    }
    // With the pictures it has just been written.
    if (first.current) {
      first.current = false
      return
    }
    const write = () => void saveDraftSettings(tool, latest.current)
    const leave = () => document.visibilityState === 'hidden' && write()
    const timer = setTimeout(write, pause)
    document.addEventListener('visibilitychange', leave)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', leave)
    }
  }, [tool, unsent, params, stage, mask, shrink])
}
