import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { trustScript } from '#client/trusted-script.ts'
import type { ToolFile } from '#tools/ui/page.ts'
import { uprightBitmap } from '#tools/ui/upright-bitmap.ts'
import type { Size } from '#ui/geometry.ts'
import type { PageOrder, PaintedPage, WorkerMessage } from './page-worker.ts'
import workerUrl from './page-worker.ts?worker&url'

/** Larger pictures are reduced. */
const maxPreviewPixels = 4_000_000

interface Painter {
  hand(file: ToolFile): void
  keep(keys: readonly string[]): void
  paint(order: PageOrder): void
  close(): void
}

/** Shown by the next screen until it has painted its own page. */
let last: { keys: string; page: PaintedPage } | null = null

/** The worker runs the server's code, so the result will look the same. */
export function usePagePreview(
  canvas: RefObject<HTMLCanvasElement | null>,
  files: readonly ToolFile[],
  order: PageOrder | null,
): void {
  const painter = useRef<Painter | null>(null)
  const keys = files.map(({ id }) => id).join(' ')
  const known = useEffectEvent(() => {
    if (last?.keys === keys) show(canvas.current, last.page)
  })
  const take = useEffectEvent((page: PaintedPage) => {
    last = { keys, page }
    show(canvas.current, page)
  })
  useEffect(() => {
    known()
    const own = createPainter({
      onPage: (page) => take(page),
      onBusy: (busy) => canvas.current?.setAttribute('aria-busy', String(busy)),
    })
    painter.current = own
    return () => {
      painter.current = null
      own.close()
    }
  }, [canvas])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is known by its id
  useEffect(() => {
    painter.current?.keep(files.map(({ id }) => id))
    for (const file of files) painter.current?.hand(file)
  }, [keys])
  const wanted = JSON.stringify(order)
  useEffect(() => {
    const order = JSON.parse(wanted) as PageOrder | null
    if (order) painter.current?.paint(order)
  }, [wanted])
}

function show(canvas: HTMLCanvasElement | null, { width, height, pixels }: PaintedPage): void {
  if (!canvas) return
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0)
}

interface Events {
  onPage(page: PaintedPage): void
  /** True while a newer page is pending, or a picture is being read. */
  onBusy(busy: boolean): void
}

function createPainter({ onPage, onBusy }: Events): Painter {
  const worker = new Worker(trustScript('rupa-page-preview', workerUrl))
  const handed = new Set<string>()
  let latest: PageOrder | undefined
  let waiting: PageOrder | undefined
  let reading = 0
  let busy = false
  let closed = false
  const post = (message: WorkerMessage, transfer: Transferable[] = []) => worker.postMessage(message, transfer)
  const next = () => {
    if (closed) return
    if (!busy && waiting) {
      busy = true
      post(waiting)
      waiting = undefined
    }
    onBusy(busy || reading > 0)
  }
  worker.onmessage = ({ data }: MessageEvent<PaintedPage>) => {
    busy = false
    onPage(data)
    next()
  }
  return {
    hand(file) {
      if (handed.has(file.id) || !file.url) return
      handed.add(file.id)
      reading += 1
      uprightBitmap(file.url, keptSize)
        .then((bitmap) => {
          if (closed) return bitmap.close()
          post({ kind: 'picture', key: file.id, bitmap }, [bitmap])
          waiting ??= latest
        })
        .catch(() => handed.delete(file.id))
        .finally(() => {
          reading -= 1
          next()
        })
    },
    keep(keys) {
      for (const key of handed) if (!keys.includes(key)) handed.delete(key)
      post({ kind: 'keep', keys })
    },
    paint(order) {
      latest = order
      waiting = order
      next()
    },
    close() {
      closed = true
      worker.terminate()
    },
  }
}

function keptSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(maxPreviewPixels / (width * height)))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
