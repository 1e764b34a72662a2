import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, apiJson, errorText } from '#client/api.ts'
import { NetworkError } from '#client/device/network-error.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { PreviewView } from '../../schemas.ts'
import { type ChosenPicture, previewSize } from '../picture.ts'
import { resample } from '../resample.ts'
import { deviceTask, previewOn } from './device-preview.ts'
import { generationParams, generationsOf, mainInput } from './inputs.ts'
import { stateOfGeneration } from './stage-of.ts'
import type { StudioState } from './studio-state.ts'

export interface VisitorPreview {
  id: string
  /** At preview size; absent for device previews. */
  before?: Blob
  outputs: { blob: Blob; label: string | null; width: number; height: number }[]
  /** The server was unreachable. */
  onDevice?: true
  /** The options that it shows; other ones are drawn on the device. */
  options: string
  params: Record<string, unknown>
}

/** Equal while the preview shows what is chosen. */
export const optionsOf = ({ params, stage }: StudioState): string => JSON.stringify([params, stage])

/**
 * `onLimit` is called when more needs an account. An automatic preview (not `asked`) fails
 * silently.
 */
export function useVisitorPreview(page: AnyToolPage, onLimit: () => void) {
  const [isSent, setSent] = useState(false)
  const preview = useMutation({
    mutationFn: ({ state }: { state: StudioState; asked: boolean }) =>
      request(page, state, () => setSent(true)).catch(async (error: unknown) => {
        const own = error instanceof NetworkError && (await makeOnDevice(page, state))
        if (own) return own
        throw error
      }),
    // The server was busy; many users may share an address.
    retry: (failures, error) => failures < 3 && error instanceof ApiError && error.status === 503,
    retryDelay: (failures) => 2000 * 2 ** failures,
    onMutate: () => setSent(false),
    onError: (error, { asked }) => {
      if (!asked) return
      if (error instanceof ApiError && error.code === 'request.rate_limited') onLimit()
      else showSnackbar('error', errorText(error))
    },
  })
  return { ...preview, isSent }
}

async function makeOnDevice(page: AnyToolPage, state: StudioState): Promise<VisitorPreview | undefined> {
  const task = deviceTask(page, state)
  const picture = task && (await previewOn(task))
  if (!picture) return undefined
  return { ...madeFrom(state), outputs: [{ ...picture, label: null }], onDevice: true }
}

const madeFrom = (state: StudioState) => ({
  id: crypto.randomUUID(),
  options: optionsOf(state),
  params: state.params,
})

/** Pictures are reduced on the device; free and without an account. */
async function request(page: AnyToolPage, state: StudioState, onReduced: () => void): Promise<VisitorPreview> {
  const { definition } = page
  const inputs: Record<string, ChosenPicture[]> = {}
  for (const [name, pictures] of Object.entries(generationsOf(definition, state.inputs)[0] ?? {})) {
    inputs[name] = await Promise.all(pictures.map(reduced))
  }
  const body = new FormData()
  body.set(
    'params',
    JSON.stringify(generationParams(page, { ...stateOfGeneration(page, state, inputs), shrink: false }, null)),
  )
  for (const [name, pictures] of Object.entries(inputs)) {
    for (const picture of pictures) body.append(name, picture.original, picture.name)
  }
  const before = inputs[mainInput(definition)]?.[0]?.original
  onReduced()
  const { outputs } = await apiJson<PreviewView>(`/api/tools/${definition.id}/preview`, {
    method: 'POST',
    body,
  })
  return {
    ...madeFrom(state),
    ...(before && { before }),
    outputs: outputs.map(({ data, contentType, ...output }) => ({ ...output, blob: decoded(data, contentType) })),
  }
}

async function reduced(picture: ChosenPicture): Promise<ChosenPicture> {
  if (!picture.size) throw new Error('The device cannot decode it')
  const size = previewSize(picture.size)
  const { type } = picture.original
  const fits = size.width === picture.size.width && type !== 'image/heic'
  return { ...picture, original: fits ? picture.original : await resample(picture.original, size), size }
}

function decoded(data: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type })
}
