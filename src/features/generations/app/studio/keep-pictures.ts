import { useEffect, useRef } from 'react'
import { type Draft, dropDraft, saveDraft, takeDraft } from '#app/draft.ts'
import { onSignOut } from '#app/session.ts'
import type { AnyToolPage } from '#tools/page.ts'
import { draftFile, hasPictures, type StudioState, settingsOf } from './studio-state.ts'

/** Apart from what other pages leave for the tool. */
const nameOf = (tool: string) => `${tool}:unsent`
/** The tab in which they were chosen; it outlives a reload, and the camera's eviction of the page, but not the tab. */
const prefix = 'unsent:'
const mark = (tool: string) => prefix + tool

onSignOut((reason) => {
  if (reason === 'ended') return
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
})

/** Chosen pictures that are not sent yet, as they were before the page was loaded anew in this tab; once. */
export async function takeUnsent(tool: string): Promise<Draft | null> {
  return sessionStorage.getItem(mark(tool)) === null ? null : await takeDraft(nameOf(tool))
}

/** Keeps the chosen pictures on the device until they are sent or put away. */
export function useKeepPictures({ facts }: AnyToolPage, state: StudioState): void {
  const { id } = facts
  const kept = useRef(false)
  const unsent = state.runs.length === 0 && hasPictures(state)
  // Options and strokes change often; writing the pictures again for each would cost more than they are worth.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (unsent) {
      kept.current = true
      sessionStorage.setItem(mark(id), '1')
      const files = Object.entries(state.inputs).flatMap(([input, pictures]) =>
        pictures.map((picture) => draftFile(input, picture)),
      )
      void saveDraft({ tool: nameOf(id), files, settings: settingsOf(state) })
    } else if (kept.current) {
      kept.current = false
      sessionStorage.removeItem(mark(id))
      void dropDraft(nameOf(id))
    }
  }, [id, unsent, state.inputs])
}
