import { useState } from 'react'
import { ApiError } from '#client/api.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { VisitorPreview } from './request-preview.ts'
import type { StudioState } from './studio-state.ts'
import { deviceTask, onDevice } from './use-device-preview.ts'

interface VisitorPreviews {
  /** On its way, there, or not asked for. */
  shown: VisitorPreview | 'working' | null
  start: (state: StudioState) => Promise<void>
  close: () => void
}

/**
 * A visitor's preview of a tool; `onLimit` when there have been so many that an account is needed.
 */
export function useVisitorPreview(page: AnyToolPage, onLimit: () => void): VisitorPreviews {
  const [shown, setShown] = useState<VisitorPreview | 'working' | null>(null)
  async function start(state: StudioState) {
    setShown('working')
    try {
      const { requestPreview } = await import('./request-preview.ts')
      const made = await requestPreview(page, state).catch(async (error: unknown) => {
        const own = error instanceof NetworkError ? await previewHere(page, state) : undefined
        if (own) return own
        throw error
      })
      setShown((now) => (now === 'working' ? made : now))
    } catch (error) {
      setShown(null)
      if (error instanceof ApiError && error.code === 'request.rate_limited') onLimit()
      else showSnackbar('error', errorText(error))
    }
  }
  return { shown, start, close: () => setShown(null) }
}

/** The same, made on the device. */
async function previewHere(page: AnyToolPage, state: StudioState): Promise<VisitorPreview | undefined> {
  const task = deviceTask(page, state)
  const picture = task && (await onDevice(task))
  if (!picture) return undefined
  return { id: crypto.randomUUID(), outputs: [{ ...picture, label: null }], warnings: [], onDevice: true }
}
