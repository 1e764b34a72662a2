import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { markBusy } from '#client/busy.ts'
import { retryUntilLoaded } from '#client/retry-until-loaded.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { notifyOffline } from '#ui/notify-offline.ts'
import type { DraftFile } from '../draft.ts'
import { takesVideo } from './inputs.ts'
import { remainingInputs } from './studio-reducer.ts'
import type { FileRequest, StudioSettings, StudioState } from './studio-state.ts'
import { dropUnsentPictures, storeUnreadPictures, useDraft } from './use-draft.ts'
import { usePageDrop } from './use-page-drop.ts'
import type { Dispatch } from './use-studio.ts'

export async function loadReader({ definition }: AnyToolPage) {
  const [reader] = await Promise.all([import('./read-files.ts'), takesVideo(definition) && import('../video.ts')])
  return reader
}

export function useAddPictures(page: AnyToolPage, state: StudioState, dispatch: Dispatch) {
  const [search, setSearch] = useSearchParams()
  const [problems, setProblems] = useState<string[]>([])

  async function take(files: readonly DraftFile[], picking: FileRequest, settings?: Partial<StudioSettings>) {
    if (files.length === 0) return
    // A page that failed to load a part may reload, and finds only stored pictures.
    const release = markBusy()
    let waited = false
    const onWait = () => {
      waited = true
      notifyOffline()
      void storeUnreadPictures({ tool: page.definition.id, files, settings }).then(release)
    }
    try {
      const { readFiles } = await retryUntilLoaded(() => loadReader(page), onWait)
      const { picked, problems } = await readFiles(page, remainingInputs(state.inputs, picking), files)
      setProblems(problems)
      if (picked.length === 0) {
        if (waited) await dropUnsentPictures(page.definition.id)
        return
      }
      if (search.has('result')) setSearch({})
      dispatch({ type: 'picked', picked, ...picking, ...(settings && { settings }) })
    } finally {
      release()
    }
  }
  const choose = (files: File[], picking: FileRequest = {}) =>
    take(
      files.map((file) => ({ file, ...(picking.input !== undefined && { input: picking.input }) })),
      search.has('result') ? { afresh: true } : picking,
    )

  useDraft(page, state, !search.has('result'), async ({ files, settings }) => {
    const here = new Set(Object.values(state.inputs).flatMap((pictures) => pictures.map(({ id }) => id)))
    // Signing in may store pictures that are still on this page.
    if (files.every(({ id }) => id !== undefined && here.has(id))) return
    await take(files, { afresh: true }, isSettings(settings) ? settings : undefined)
  })
  const over = usePageDrop((files) => void choose(files))
  return {
    problems,
    forget: () => setProblems([]),
    choose,
    over,
  }
}

const isSettings = (value: unknown): value is StudioSettings =>
  typeof value === 'object' && value !== null && 'params' in value && 'stage' in value
