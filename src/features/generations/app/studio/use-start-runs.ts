import { useAtom } from 'jotai'
import { useCallback, useState } from 'react'
import { mayStart } from '#app/consent.ts'
import { errorText } from '#app/errors.ts'
import { enqueueGeneration } from '#app/offline/uploads.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import type { AnyToolPanel } from '#tools/panel.ts'
import { boxInPixels } from '../geometry.ts'
import { pictureToSend } from '../picture.ts'
import { type Run, rememberParams, studioStateOf } from './studio-state.ts'

interface StartingRuns {
  /** Whether pictures are on their way into the queue. */
  busy: boolean
  start: (price: number) => Promise<void>
  /** An upload has arrived and is a generation now. */
  sent: (upload: string, generation: string) => void
}

/** Puts the chosen pictures into the upload queue, one run each, and follows them. */
export function useStartRuns(panel: AnyToolPanel): StartingRuns {
  const { facts } = panel
  const [state, setState] = useAtom(studioStateOf(panel))
  const [busy, setBusy] = useState(false)

  async function start(price: number) {
    if (!(await mayStart(facts))) return
    setBusy(true)
    rememberParams(facts.id, state.params)
    const runs: Run[] = []
    try {
      for (const picture of state.pictures) {
        const { blob, name, size } = await pictureToSend(picture, state.shrink)
        const box = state.area && size ? boxInPixels(state.area, size) : undefined
        const extras = Object.keys(facts.inputs)
          .slice(1)
          .flatMap((field) => {
            const file = state.files[field]
            return file ? [{ field, name: file instanceof File ? file.name : field, blob: file }] : []
          })
        const upload = await enqueueGeneration({
          tool: facts.id,
          params: { ...state.params, ...(box && panel.areaParams?.(box)) },
          files: [{ field: 'image', name, blob }, ...extras],
          price,
        })
        runs.push({ picture: picture.id, upload, generation: null })
      }
    } catch (error) {
      showSnackbar('error', errorText(error))
    } finally {
      setBusy(false)
      // Pictures that did not get into the queue stay in the studio.
      if (runs.length > 0) setState((now) => ({ ...now, runs }))
    }
  }

  const sent = useCallback(
    (upload: string, generation: string) => {
      setState((now) => {
        const runs = now.runs.map((run) => (run.upload === upload ? { ...run, generation } : run))
        return { ...now, runs }
      })
    },
    [setState],
  )
  return { busy, start, sent }
}
