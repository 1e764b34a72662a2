import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { FileView, GenerationView, OutputView } from '../../types.ts'
import { inputFileToSend } from '../input-file.ts'
import { renderMutation } from '../queries.ts'
import { isPicture, pictureBlob } from './save-picture.ts'

type Params = Record<string, unknown>

/** A change is sent to the server once the options have not been touched for this long. */
const debounceMs = 350

/** The options a finished result may change for free. */
function renderable({ definition }: AnyToolPage, params: Params): Params {
  return Object.fromEntries(definition.renderParams.map((name) => [name, params[name]]))
}

/** The database may return the keys of an object in another order. */
const sorted = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
const same = (a: Params, b: Params) => JSON.stringify(a, sorted) === JSON.stringify(b, sorted)

/**
 * Changing a finished result: the wanted options are shown at once and rendered by the server a
 * moment later. The latest change wins; when rendering fails, the options fall back to those of the
 * current result.
 */
export function useRerender(page: AnyToolPage, generation: GenerationView) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation(renderMutation(client, generation.id))
  const [wanted, setWanted] = useState<{ params: Params; count: number } | null>(null)
  const [files, setFiles] = useState<Partial<Record<string, readonly Blob[]>>>({})
  const newFiles = useRef<Partial<Record<string, readonly Blob[]>>>({})
  const count = useRef(0)

  const params = { ...page.definition.defaults, ...generation.params, ...wanted?.params }
  const rendered = renderable(page, { ...page.definition.defaults, ...generation.params })

  const send = useEffectEvent(({ params: changes, count: own }: { params: Params; count: number }) => {
    const target = renderable(page, { ...page.definition.defaults, ...generation.params, ...changes })
    const sent = newFiles.current
    const done = () => setWanted((now) => (now?.count === own ? null : now))
    if (same(target, rendered) && Object.keys(sent).length === 0) return done()
    newFiles.current = {}
    mutateAsync({ params: target, files: sent })
      .catch((error: unknown) => {
        if (count.current === own) showSnackbar('error', errorText(error))
      })
      .finally(done)
  })
  // A new change restarts the timer; a response that arrives meanwhile does not.
  useEffect(() => {
    if (!wanted) return
    const timer = setTimeout(() => send(wanted), debounceMs)
    return () => clearTimeout(timer)
  }, [wanted])

  return {
    params,
    files,
    /** Whether the options differ from those that the server has rendered. */
    pending: wanted !== null || isPending,
    change(change: Params) {
      count.current += 1
      const next = count.current
      setWanted((now) => ({ params: { ...now?.params, ...change }, count: next }))
    },
    async takeFile(name: string, file: File): Promise<boolean> {
      const taken = await inputFileToSend(file)
      if (!taken) return false
      newFiles.current = { ...newFiles.current, [name]: [taken] }
      setFiles((now) => ({ ...now, [name]: [taken] }))
      return true
    },
    /** Renders with other options now and returns the outputs, for downloads in another format. */
    async renderNow(change: Params): Promise<OutputView[]> {
      const target = renderable(page, { ...params, ...change })
      if (generation.outputs.length > 0 && !wanted && same(target, rendered)) return generation.outputs
      const sent = { ...newFiles.current }
      newFiles.current = {}
      const { outputs } = await mutateAsync({ params: target, files: sent })
      setWanted(null)
      if (outputs.length === 0) throw new Error('The response holds no output')
      return outputs
    },
  }
}

/** An output from which the device can preview other options by itself; cached once loaded. */
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

/**
 * The last of the files whose picture has been decoded, so that nothing flickers while the next one
 * loads; others load by themselves.
 */
export function useDecoded<File extends FileView>(file: File | undefined): File | undefined {
  const [decoded, setDecoded] = useState<File>()
  const id = file?.id
  const latest = useEffectEvent(() => file)
  // The address of a file is signed anew in every response; only another file is another picture.
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
    image
      .decode()
      .catch(() => undefined)
      .then(() => wanted && setDecoded(next))
    return () => {
      wanted = false
    }
  }, [id])
  return decoded
}
