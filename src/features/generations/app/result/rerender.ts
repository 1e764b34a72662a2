import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorText } from '#client/api.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { FileView, GenerationView, OutputView } from '../../schemas.ts'
import { inputFileToSend } from '../input-file.ts'
import { renderMutation } from '../queries.ts'
import { isPicture, pictureBlob } from './save-picture.ts'

type Params = Record<string, unknown>

const debounceMs = 350

export function renderable({ definition }: AnyToolPage, params: Params): Params {
  return Object.fromEntries(definition.renderParams.map((name) => [name, params[name]]))
}

/** The database may return the keys of an object in another order. */
const sortKeys = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
const isSame = (a: Params, b: Params) => JSON.stringify(a, sortKeys) === JSON.stringify(b, sortKeys)

/**
 * Applies options at once; the server renders a moment later. The latest change wins; a failure
 * reverts to the current result's options.
 */
export function useRerender(page: AnyToolPage, generation: GenerationView) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation(renderMutation(client, generation.id))
  const [wanted, setWanted] = useState<Params | null>(null)
  const latest = useRef(wanted)
  latest.current = wanted
  const [replaced, setReplaced] = useState(0)
  const [files, setFiles] = useState<Partial<Record<string, readonly Blob[]>>>({})
  const newFiles = useRef<typeof files>({})
  const taking = useRef<Promise<unknown>>(undefined)

  const made = { ...page.definition.defaults, ...generation.params }
  const params = { ...made, ...wanted }
  const isMade = (target: Params) => isSame(target, renderable(page, made))
  const render = (target: Params) => {
    const sent = newFiles.current
    newFiles.current = {}
    return mutateAsync({ params: target, files: sent })
  }
  const send = useEffectEvent(async (own: Params) => {
    // Options may need a file that is still being read.
    await taking.current
    if (latest.current !== own) return
    const target = renderable(page, { ...made, ...own })
    const done = () => setWanted((now) => (now === own ? null : now))
    if (isMade(target) && Object.keys(newFiles.current).length === 0) return done()
    render(target)
      .catch((error: unknown) => {
        if (latest.current === own) showSnackbar('error', errorText(error))
      })
      .finally(done)
  })
  // A new change restarts the timer; an arriving response does not.
  useEffect(() => {
    if (!wanted) return
    const timer = setTimeout(() => send(wanted), debounceMs)
    return () => clearTimeout(timer)
  }, [wanted])

  return {
    params,
    files,
    pending: wanted !== null || isPending,
    change: (change: Params) => setWanted((now) => ({ ...now, ...change })),
    /** Increases when all options were replaced, so that drawings are read again. */
    replaced,
    /** Skips stored options that cannot be changed here. */
    apply(kept: Params) {
      const { renderParams } = page.definition
      setReplaced((count) => count + 1)
      setWanted(Object.fromEntries(Object.entries(kept).filter(([name]) => renderParams.includes(name))))
    },
    step(rendering: number) {
      mutateAsync({ rendering })
        .then(() => {
          setFiles({})
          setReplaced((count) => count + 1)
        })
        .catch((error: unknown) => showSnackbar('error', errorText(error)))
    },
    async takeFile(name: string, file: File): Promise<boolean> {
      const reading = inputFileToSend(file)
      taking.current = reading
      const taken = await reading
      if (!taken) return false
      newFiles.current = { ...newFiles.current, [name]: [taken] }
      setFiles((now) => ({ ...now, [name]: [taken] }))
      return true
    },
    async renderNow(change: Params): Promise<OutputView[]> {
      const target = renderable(page, { ...params, ...change })
      if (generation.outputs.length > 0 && !wanted && isMade(target)) return generation.outputs
      const { outputs } = await render(target)
      setWanted(null)
      if (outputs.length === 0) throw new Error('The response holds no output')
      return outputs
    },
  }
}

export function usePreviewBase(page: AnyToolPage, generation: GenerationView): Blob | undefined {
  const output = generation.outputs[0]
  const fits = page.preview?.from({ ...page.definition.defaults, ...generation.params }) ?? false
  const { data } = useQuery({
    queryKey: ['preview-base', generation.id],
    queryFn: () => pictureBlob(output as OutputView),
    enabled: fits && output !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** The photograph of a result whose page no longer has it, if the panel needs it. */
export function useReopenedPhoto(page: AnyToolPage, generation: GenerationView, local: Blob | undefined) {
  const [source] = generation.inputs
  const { data } = useQuery({
    queryKey: ['reopened-photo', source?.id],
    queryFn: () => pictureBlob(source as FileView),
    enabled: page.samplesPhoto === true && local === undefined && source !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return local ?? data
}

/** The last decoded file, so that nothing flickers while the next one loads. */
export const useDecoded = <File extends FileView>(file: File | undefined): File | undefined => useDecoding(file).decoded

/** `failed`: the wanted file could not be loaded or decoded; `retry` tries it once more. */
export function useDecoding<File extends FileView>(
  file: File | undefined,
): { decoded: File | undefined; failed: boolean; retry: () => void } {
  const [decoded, setDecoded] = useState<File>()
  const [failed, setFailed] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const id = file?.id
  const latest = useEffectEvent(() => file)
  // Every response signs addresses anew; only another file is another picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads the same file
  useEffect(() => {
    const next = id === undefined ? undefined : latest()
    if (!next) return
    if (!isPicture(next)) {
      setDecoded(next)
      return
    }
    let wanted = true
    const image = new Image()
    image.src = next.url
    image.decode().then(
      () => wanted && setDecoded(next),
      () => wanted && setFailed(next.id),
    )
    return () => {
      wanted = false
    }
  }, [id, attempt])
  return {
    decoded,
    failed: failed !== null && failed === id,
    retry() {
      setFailed(null)
      setAttempt((count) => count + 1)
    },
  }
}
