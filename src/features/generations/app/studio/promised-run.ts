import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import { localKeys, readKept } from '#client/storage.ts'
import { picturesOf } from './inputs.ts'
import type { StudioState } from './studio-state.ts'

/**
 * A run whose button, with its price, was pressed before it could start: it waits for an account or
 * for credits. It is of these very pictures, so that nothing else is ever charged for it.
 */
export interface PromisedRun {
  tool: string
  /** Ids of the pictures. */
  pictures: string
  /** Credits in all; a run that costs more by then is asked for anew. */
  price: number
  /** The result is to be saved as a file at once: the button said so. */
  download: boolean
  /** Milliseconds since 1970: as long as the mailed link counts. */
  until: number
}

const day = 86_400_000

// In localStorage, for the mailed link opens another tab, and the camera may evict this one.
const stored = () => readKept<PromisedRun>(localKeys.promisedRun)

const promisedAtom = atom<PromisedRun | null>(null)

export function promiseRun(
  state: StudioState,
  { tool, price, download = false }: { tool: string; price: number; download?: boolean },
): void {
  const run: PromisedRun = { tool, price, download, pictures: picturesOf(state), until: Date.now() + day }
  localStorage.setItem(localKeys.promisedRun, JSON.stringify(run))
  store.set(promisedAtom, run)
}

/** The person has turned back. */
export function forgetPromisedRun(): void {
  localStorage.removeItem(localKeys.promisedRun)
  store.set(promisedAtom, null)
}

/** The run that was promised for what is chosen in this studio now, or null. */
export function usePromisedRun(tool: string, state: StudioState): PromisedRun | null {
  const held = useAtomValue(promisedAtom)
  const run = held ?? stored()
  const mine = run?.tool === tool && run.pictures === picturesOf(state) && run.until > Date.now()
  return mine ? run : null
}

/** Takes the promise; of several tabs one gets it. */
export async function takePromisedRun(run: PromisedRun): Promise<boolean> {
  const take = () => {
    const found = stored()
    const same = found?.pictures === run.pictures && found.tool === run.tool && found.until === run.until
    if (same) localStorage.removeItem(localKeys.promisedRun)
    return same
  }
  const taken = await navigator.locks.request(localKeys.promisedRun, take)
  store.set(promisedAtom, null)
  return taken
}

/** Jobs, and their results, that are to be saved as files at once. */
const owed = new Set<string>()

export const oweDownload = (job: string): void => void owed.add(job)

/** A job has its result now: what is owed of it goes along. */
export function passOwed(job: string, result: string): void {
  if (owed.delete(job)) owed.add(result)
}

/** Whether a result is to be saved at once; true only once. */
export const takeOwed = (result: string): boolean => owed.delete(result)
