import { atom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { trustScript } from '#client/trusted-script.ts'
import type { Sample } from './serve-samples.ts'

/**
 * Samples appear one by one, once for each order. Empty without an order, and where the browser
 * cannot draw in a worker.
 */
export function useSamples<Name extends string>(
  workerUrl: string,
  order: SampleOrder | undefined,
): Partial<Record<Name, string>> {
  const drawing = useAtomValue(drawingsAtom)[workerUrl]
  useEffect(() => {
    if (order !== undefined) drawSamples(workerUrl, order)
  }, [workerUrl, order])
  return samplesFor(drawing, order) as Partial<Record<Name, string>>
}

/** A photograph, findings of its check, or null for a generic figure. */
export type SampleOrder = string | Blob | null

type Samples = Readonly<Record<string, string>>

interface Drawing {
  order: SampleOrder
  worker: Worker
  samples: Samples
}

/** By address of the worker: panels are unmounted while the photo stays. */
export const drawingsAtom = atom<Readonly<Record<string, Drawing | undefined>>>({})

/** Does nothing if the worker has already drawn this order. */
export function drawSamples(workerUrl: string, order: SampleOrder): void {
  const before = store.get(drawingsAtom)[workerUrl]
  if (before?.order === order) return
  before?.worker.terminate()
  const worker = new Worker(trustScript('rupa-samples', workerUrl), { type: 'module', name: 'samples' })
  const keep = (drawing: Drawing | undefined) => store.set(drawingsAtom, (all) => ({ ...all, [workerUrl]: drawing }))
  let samples = samplesFor(before, order)
  keep({ order, worker, samples })
  worker.onmessage = ({ data: { name, url } }: MessageEvent<Sample>) => {
    samples = { ...samples, [name]: url }
    keep({ order, worker, samples })
  }
  // The worker could not be loaded; reopening the panel tries again.
  worker.onerror = () => keep(undefined)
  worker.postMessage(order)
}

onSignOut('samples', () => {
  for (const drawing of Object.values(store.get(drawingsAtom))) drawing?.worker.terminate()
  store.set(drawingsAtom, {})
})

/** Generic samples until the findings are drawn. */
export function samplesFor(drawing: Drawing | undefined, order: SampleOrder | undefined): Samples {
  if (!drawing) return {}
  const fits = drawing.order === order || (drawing.order === null && typeof order === 'string')
  return fits ? drawing.samples : {}
}
