import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorText } from '#app/errors.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import type { AnyToolPanel } from '#tools/panel.ts'
import type { FileView, GenerationView } from '../../contract.ts'
import { takeFurtherPicture } from '../further-picture.ts'
import { renderMutation } from '../queries.ts'
import { pictureBlob } from './save-picture.ts'

type Params = Record<string, unknown>

/** Changes are drawn once nobody has touched the options for this long. */
const pause = 350

/** The options a finished result may change for free. */
export function renderable({ facts }: AnyToolPanel, params: Params): Params {
  return Object.fromEntries(facts.renderParams.map((name) => [name, params[name]]))
}

/** Databases give the names of an object back in an order of their own. */
const sorted = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
const same = (a: Params, b: Params) => JSON.stringify(a, sorted) === JSON.stringify(b, sorted)

/**
 * Changing a finished result: what somebody wants is shown at once and drawn by the server a moment later; the latest wish wins,
 * and what cannot be drawn falls back to what was.
 */
export function useRedraw(panel: AnyToolPanel, generation: GenerationView) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation(renderMutation(client, generation.id))
  const [wish, setWish] = useState<{ params: Params; count: number } | null>(null)
  const [files, setFiles] = useState<Partial<Record<string, Blob>>>({})
  const newFiles = useRef<Partial<Record<string, Blob>>>({})
  const count = useRef(0)

  const params = { ...panel.facts.defaults, ...generation.params, ...wish?.params }
  const drawn = renderable(panel, { ...panel.facts.defaults, ...generation.params })

  const draw = useEffectEvent(({ params: changes, count: own }: { params: Params; count: number }) => {
    const wanted = renderable(panel, { ...panel.facts.defaults, ...generation.params, ...changes })
    const sent = newFiles.current
    const done = () => setWish((now) => (now?.count === own ? null : now))
    if (same(wanted, drawn) && Object.keys(sent).length === 0) return done()
    newFiles.current = {}
    mutateAsync({ params: wanted, files: sent })
      .catch((error: unknown) => {
        if (count.current === own) showSnackbar('error', errorText(error))
      })
      .finally(done)
  })
  // A new wish restarts the pause; what the server answers meanwhile does not.
  useEffect(() => {
    if (!wish) return
    const timer = setTimeout(() => draw(wish), pause)
    return () => clearTimeout(timer)
  }, [wish])

  return {
    params,
    files,
    /** Whether what is shown differs from what the server has drawn. */
    drawing: wish !== null || isPending,
    change(change: Params) {
      count.current += 1
      const next = count.current
      setWish((now) => ({ params: { ...now?.params, ...change }, count: next }))
    },
    takeFile: (name: string, file: File) =>
      takeFurtherPicture(file, (taken) => {
        newFiles.current = { ...newFiles.current, [name]: taken }
        setFiles((now) => ({ ...now, [name]: taken }))
      }),
    /** Draws with other options now and answers the picture, for downloads in another format. */
    async drawNow(change: Params): Promise<FileView> {
      const wanted = renderable(panel, { ...params, ...change })
      const current = generation.outputs[0]
      if (current && !wish && same(wanted, drawn)) return current
      const sent = { ...newFiles.current }
      newFiles.current = {}
      const [file] = (await mutateAsync({ params: wanted, files: sent })).outputs
      setWish(null)
      if (!file) throw new Error('The answer holds no picture')
      return file
    },
  }
}

/** An output from which the device can show other options by itself; kept once it was seen. */
export function usePreviewBase(panel: AnyToolPanel, generation: GenerationView): Blob | undefined {
  const output = generation.outputs[0]
  const fits = panel.preview?.from({ ...panel.facts.defaults, ...generation.params }) ?? false
  const { data } = useQuery({
    queryKey: ['preview-base', generation.id],
    queryFn: () => pictureBlob(output as FileView),
    enabled: fits && output !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** The last of the files whose picture has been decoded, so that nothing flickers while the next one loads. */
export function useDecoded(file: FileView | undefined): FileView | undefined {
  const [decoded, setDecoded] = useState<FileView>()
  const id = file?.id
  const latest = useEffectEvent(() => file)
  // The address of a file is signed anew in every answer; only another file is another picture.
  useEffect(() => {
    const next = id === undefined ? undefined : latest()
    if (!next) return
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
