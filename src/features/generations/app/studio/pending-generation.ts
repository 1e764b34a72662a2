import { atom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { store } from '#client/session.ts'
import { localKeys, readStoredJson } from '#client/storage.ts'
import { dayMs } from '#shared/time.ts'
import { picturesOf } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

/** Waits for an account. Bound to these very pictures, so that nothing else is charged. */
interface PendingGeneration {
  tool: string
  pictures: string
  price: number
  download: boolean
  /** Milliseconds since 1970: validity of the mailed link. */
  until: number
}

// In localStorage, since the mailed link opens another tab, and the camera may evict this one.
const stored = () => readStoredJson<PendingGeneration>(localKeys.pendingGeneration)

const pendingAtom = atom<PendingGeneration | null>(null)

export function rememberPendingGeneration(
  state: StudioState,
  given: Pick<PendingGeneration, 'tool' | 'price' | 'download'>,
): void {
  const generation: PendingGeneration = { ...given, pictures: picturesOf(state), until: Date.now() + dayMs }
  localStorage.setItem(localKeys.pendingGeneration, JSON.stringify(generation))
  store.set(pendingAtom, generation)
}

export function forgetPendingGeneration(): void {
  localStorage.removeItem(localKeys.pendingGeneration)
  store.set(pendingAtom, null)
}

function usePendingGeneration(tool: string, state: StudioState): PendingGeneration | null {
  const pending = useAtomValue(pendingAtom)
  const generation = pending ?? stored()
  const mine = generation?.tool === tool && generation.pictures === picturesOf(state) && generation.until > Date.now()
  return mine ? generation : null
}

/** Only one of several tabs succeeds. */
async function takePendingGeneration(generation: PendingGeneration): Promise<boolean> {
  const take = () => {
    const found = stored()
    const same =
      found?.pictures === generation.pictures && found.tool === generation.tool && found.until === generation.until
    if (same) localStorage.removeItem(localKeys.pendingGeneration)
    return same
  }
  const taken = await navigator.locks.request(localKeys.pendingGeneration, take)
  store.set(pendingAtom, null)
  return taken
}

/** Resumes the generation the user started before signing in, in the visible tab. */
export function useResumePending(
  tool: string,
  state: StudioState,
  { ready, total, start }: { ready: boolean; total: number; start: (download: boolean) => void },
): void {
  const generation = usePendingGeneration(tool, state)
  const wanted = ready && generation !== null && total <= generation.price
  const press = useEffectEvent(async () => {
    if (document.visibilityState !== 'visible' || !generation) return
    if (await takePendingGeneration(generation)) start(generation.download)
  })
  useEffect(() => {
    if (!wanted) return
    const look = () => void press()
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [wanted])
}

const pendingDownloads = new Set<string>()

export const downloadWhenReady = (job: string): void => void pendingDownloads.add(job)

export function transferPendingDownload(job: string, result: string): void {
  if (pendingDownloads.delete(job)) pendingDownloads.add(result)
}

/** True once per download. */
export const takePendingDownload = (result: string): boolean => pendingDownloads.delete(result)
