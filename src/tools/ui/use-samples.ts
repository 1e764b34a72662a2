import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { drawingsAtom, drawSamples, type SampleOrder, samplesFor } from './drawn-samples.ts'

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
