import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import { localKeys, readStoredJson } from '#client/storage.ts'
import { picturesOf } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

/**
 * A generation whose button was pressed, with its price, before it could start: it waits for an
 * account or for credits. Bound to these very pictures, so that nothing else is ever charged.
 */
export interface PendingGeneration {
  tool: string
  /** Ids of the pictures. */
  pictures: string
  /** Total credits; a higher price needs confirmation. */
  price: number
  /** Saves the result as a file at once, as the button said. */
  download: boolean
  /** Milliseconds since 1970: validity of the mailed link. */
  until: number
}

const day = 86_400_000

// In localStorage, since the mailed link opens another tab, and the camera may evict this one.
const stored = () => readStoredJson<PendingGeneration>(localKeys.pendingGeneration)

const promisedAtom = atom<PendingGeneration | null>(null)

export function rememberPendingGeneration(
  state: StudioState,
  { tool, price, download = false }: { tool: string; price: number; download?: boolean },
): void {
  const run: PendingGeneration = { tool, price, download, pictures: picturesOf(state), until: Date.now() + day }
  localStorage.setItem(localKeys.pendingGeneration, JSON.stringify(run))
  store.set(promisedAtom, run)
}

/** Drops the pending generation when the user cancels. */
export function forgetPendingGeneration(): void {
  localStorage.removeItem(localKeys.pendingGeneration)
  store.set(promisedAtom, null)
}

/** The pending generation of this studio's selection, or null. */
export function usePendingGeneration(tool: string, state: StudioState): PendingGeneration | null {
  const held = useAtomValue(promisedAtom)
  const run = held ?? stored()
  const mine = run?.tool === tool && run.pictures === picturesOf(state) && run.until > Date.now()
  return mine ? run : null
}

/** Takes the pending generation; only one of several tabs succeeds. */
export async function takePendingGeneration(run: PendingGeneration): Promise<boolean> {
  const take = () => {
    const found = stored()
    const same = found?.pictures === run.pictures && found.tool === run.tool && found.until === run.until
    if (same) localStorage.removeItem(localKeys.pendingGeneration)
    return same
  }
  const taken = await navigator.locks.request(localKeys.pendingGeneration, take)
  store.set(promisedAtom, null)
  return taken
}

/** Jobs and results to be saved as files at once. */
const owed = new Set<string>()

export const downloadWhenReady = (job: string): void => void owed.add(job)

/** Transfers a pending download from a job to its result. */
export function transferPendingDownload(job: string, result: string): void {
  if (owed.delete(job)) owed.add(result)
}

/** True once if a result is to be saved at once. */
export const takePendingDownload = (result: string): boolean => owed.delete(result)
