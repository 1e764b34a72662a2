import { useAtom } from 'jotai'
import { useCallback, useState } from 'react'
import { errorText } from '#client/errors.ts'
import { mayStart } from '#features/account/app/account.ts'
import type { NewFile } from '#features/uploads/app/uploads.ts'
import type { CheckView } from '#tools/contract/views.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { drawnInput, mainInput, runsOf } from './inputs.ts'
import { runParams } from './run-params.ts'
import { type Run, rememberParams, type StudioState, studioStateOf } from './studio-state.ts'
import { toolFiles } from './tool-files.ts'

interface StartingRuns {
  /** Whether pictures are on their way into the queue. */
  busy: boolean
  start: (price: number, inspection: CheckView | null) => Promise<void>
  /** An upload has arrived and is a generation now. */
  sent: (upload: string, generation: string) => void
}

/** Puts the chosen pictures into the upload queue and follows them there. */
export function useStartRuns(page: AnyToolPage): StartingRuns {
  const { facts } = page
  const [state, setState] = useAtom(studioStateOf(page))
  const [busy, setBusy] = useState(false)

  async function start(price: number, inspection: CheckView | null) {
    if (!(await mayStart(facts))) return
    setBusy(true)
    rememberParams(facts.id, state.params)
    const runs: Run[] = []
    try {
      const { enqueue } = await import('#features/uploads/app/uploads.ts')
      for (const inputs of runsOf(facts, state.inputs)) {
        const upload = await enqueue({
          kind: 'generation',
          tool: facts.id,
          ...(await runToSend(page, { ...state, inputs }, inspection)),
          price,
        })
        runs.push({ picture: inputs[mainInput(facts)]?.[0]?.id ?? '', upload, generation: null })
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

/** Parameters and files of one run as they are sent. */
async function runToSend(page: AnyToolPage, state: StudioState, inspection: CheckView | null) {
  const { fileToSend } = await import('./early-upload.ts')
  const { facts } = page
  const main = mainInput(facts)
  const files: Record<string, NewFile[]> = {}
  let size = null
  for (const field of Object.keys(facts.inputs)) {
    for (const picture of state.inputs[field] ?? []) {
      const sent = await fileToSend(picture, state.shrink)
      if (field === main) size ??= sent.size
      files[field] = [...(files[field] ?? []), sent.file]
    }
  }
  const drawn = drawnInput(facts)
  if (drawn && state.mask && size && state.mask.history.strokes.length > 0) {
    const { maskFile } = await import('#ui/mask-editor/paint.ts')
    files[drawn] = [{ name: `${drawn}.png`, blob: await maskFile(state.mask.history.strokes, size) }]
  }
  // Where shrinking failed the original goes, and parameters are in its pixels.
  const expected = toolFiles(state)[main]?.[0]?.size
  const shrunk = size === null || size.width === expected?.width
  return { params: runParams(page, shrunk ? state : { ...state, shrink: false }, inspection), inputs: files }
}
