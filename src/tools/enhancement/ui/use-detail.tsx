import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { trustScript } from '#client/trusted-script.ts'
import type { Box } from '#shared/media.ts'
import { uprightBitmap } from '#tools/ui/upright-bitmap.ts'
import type { Size } from '#ui/geometry.ts'
import type { EnhancementParams } from '../contract/definition.ts'
import type { DetailRequest, EnhancedPart } from './detail-worker.ts'
import workerUrl from './detail-worker.ts?worker&url'

interface Wanted {
  part: Box
  params: EnhancementParams
  sample: boolean
}

/**
 * Computed in a worker by the server's code: the latest request, one at a time. Null until the
 * first is there; `size` is the size in which the picture is sent.
 */
export function useDetail(url: string, size: Size, wanted: Wanted): EnhancedPart | null {
  const [made, setMade] = useState<EnhancedPart | null>(null)
  const worker = useRef<Worker | null>(null)
  const busy = useRef(true)
  const name = JSON.stringify(wanted)
  const asked = useRef('')

  const ask = useEffectEvent(() => {
    if (busy.current || asked.current === name) return
    busy.current = true
    asked.current = name
    worker.current?.postMessage({ kind: 'part', ...wanted } satisfies DetailRequest)
  })
  useEffect(() => {
    const own = new Worker(trustScript('rupa-detail', workerUrl), { type: 'module', name: 'detail' })
    let closed = false
    worker.current = own
    busy.current = true
    asked.current = ''
    own.onmessage = ({ data }: MessageEvent<EnhancedPart>) => {
      setMade(data)
      busy.current = false
      ask()
    }
    uprightBitmap(url, () => ({ width: size.width, height: size.height })).then(
      (bitmap) => {
        if (closed) return bitmap.close()
        own.postMessage({ kind: 'picture', bitmap } satisfies DetailRequest, [bitmap])
        busy.current = false
        ask()
      },
      () => {},
    )
    return () => {
      closed = true
      own.terminate()
    }
  }, [url, size.width, size.height])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for what is wanted
  useEffect(() => ask(), [name])
  return made
}
