import { useEffect, useState } from 'react'
import { trustScript } from '#client/trusted-script.ts'
import type { Sample } from './serve-samples.ts'

/**
 * Small pictures by their names, drawn on this device by the worker at the address; they appear one
 * by one. None without an order, and where a browser cannot draw in a worker.
 */
export function useSamples<Name extends string>(
  workerUrl: string,
  order: string | Blob | null | undefined,
): Partial<Record<Name, string>> {
  const [samples, setSamples] = useState<Partial<Record<Name, string>>>({})
  useEffect(() => {
    // Those of another photograph are wrong; the same ones with a head or without are not.
    if (order === undefined || order instanceof Blob) setSamples({})
    if (order === undefined) return
    const worker = new Worker(trustScript('rupa-samples', workerUrl), { type: 'module', name: 'samples' })
    worker.onmessage = ({ data: { name, url } }: MessageEvent<Sample>) => setSamples((now) => ({ ...now, [name]: url }))
    worker.postMessage(order)
    return () => worker.terminate()
  }, [workerUrl, order])
  return samples
}
