import { useAtom } from 'jotai'
import { useCallback, useState } from 'react'
import { mayStart } from '#app/consent.ts'
import { errorText } from '#app/errors.ts'
import { enqueueGeneration } from '#app/offline/uploads.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import type { AnyToolPanel } from '#tools/panel.ts'
import { boxInPixels } from '../geometry.ts'
import { pictureToSend } from '../picture.ts'
import { deskOf, type Run, rememberParams } from './desk.ts'

interface Running {
  /** Whether pictures are on their way into the queue. */
  busy: boolean
  start: (price: number) => Promise<void>
  /** An upload has arrived and is a generation now. */
  sent: (upload: string, generation: string) => void
}

/** What lies on a tool's table is put into the upload queue, and followed there. */
export function useRunning(panel: AnyToolPanel): Running {
  const { facts } = panel
  const [desk, setDesk] = useAtom(deskOf(panel))
  const [busy, setBusy] = useState(false)

  async function start(price: number) {
    if (!(await mayStart(facts))) return
    setBusy(true)
    rememberParams(facts.id, desk.params)
    const runs: Run[] = []
    try {
      for (const picture of desk.pictures) {
        const { blob, name, size } = await pictureToSend(picture, desk.shrink)
        const box = desk.area && size ? boxInPixels(desk.area, size) : undefined
        const extras = facts.extras.flatMap((field) => {
          const file = desk.files[field]
          return file ? [{ field, name: file instanceof File ? file.name : field, blob: file }] : []
        })
        const upload = await enqueueGeneration({
          tool: facts.id,
          params: { ...desk.params, ...(box && panel.areaParams?.(box)) },
          files: [{ field: 'image', name, blob }, ...extras],
          price,
        })
        runs.push({ picture: picture.id, upload, generation: null })
      }
    } catch (error) {
      showSnackbar('error', errorText(error))
    } finally {
      setBusy(false)
      // What did not get into the queue stays on the table.
      if (runs.length > 0) setDesk((now) => ({ ...now, runs }))
    }
  }

  const sent = useCallback(
    (upload: string, generation: string) => {
      setDesk((now) => {
        const runs = now.runs.map((run) => (run.upload === upload ? { ...run, generation } : run))
        return { ...now, runs }
      })
    },
    [setDesk],
  )
  return { busy, start, sent }
}
