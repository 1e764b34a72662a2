import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { ScanSearch, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isAuthenticatedAtom } from '#client/session.ts'
import { trustScript } from '#client/trusted-script.ts'
import type { Picture } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import type { StageProps } from '#tools/ui/page.ts'
import { uprightBitmap } from '#tools/ui/upright-bitmap.ts'
import { CompareSlider } from '#ui/compare-slider.tsx'
import { arrowSteps, clampShare, type Size } from '#ui/geometry.ts'
import type { EnhancementParams } from '../contract/definition.ts'
import type { DetailRequest, EnhancedPart } from './detail-worker.ts'
import workerUrl from './detail-worker.ts?worker&url'
import { type DetailStage, partAround } from './stage-state.ts'

type Spot = NonNullable<DetailStage['spot']>

/**
 * A tap magnifies a detail before and after. Keys: Enter opens it, arrows move it, Escape closes
 * it.
 */
export function EnhancementStage(props: StageProps<DetailStage, EnhancementParams>) {
  const { t } = useLingui()
  const { picture, pictureUrl, state, onChange, params, files, size } = props
  const { spot } = state
  const sent = files.picture?.[0]?.size ?? size
  const look = (next: Spot | null) => onChange(() => ({ spot: next }))

  function onClick(event: MouseEvent<HTMLButtonElement>) {
    // A click by keyboard has no coordinates.
    if (event.detail === 0) return look(spot ?? { x: 0.5, y: 0.5 })
    const box = event.currentTarget.getBoundingClientRect()
    look({
      x: clampShare((event.clientX - box.left) / box.width),
      y: clampShare((event.clientY - box.top) / box.height),
    })
  }
  function onKeyDown(event: KeyboardEvent) {
    const arrow = arrowSteps[event.key]
    if (spot && arrow) {
      const part = partAround(spot, sent, params.scale)
      const step = event.shiftKey ? 0.5 : 0.125
      look({
        x: clampShare(spot.x + (step * arrow[0] * part.width) / sent.width),
        y: clampShare(spot.y + (step * arrow[1] * part.height) / sent.height),
      })
    } else if (spot && event.key === 'Escape') look(null)
    else return
    event.preventDefault()
  }

  const whole = <div className="*:absolute *:inset-0 *:size-full *:rounded-lg">{picture}</div>
  // The device cannot show a provider's detail.
  if (params.invent) return whole
  return (
    <div className="absolute inset-0 select-none [container-type:size]">
      {whole}
      <button
        type="button"
        className="absolute inset-0 cursor-zoom-in touch-manipulation rounded-lg focus-visible:-outline-offset-3"
        aria-label={t`Lihat satu bagian dari dekat. Panah menggeser, Esc menutup.`}
        onClick={onClick}
        onKeyDown={onKeyDown}
      />
      {spot && pictureUrl ? (
        <Lens url={pictureUrl} spot={spot} sent={sent} params={params} onClose={() => look(null)} />
      ) : (
        <span
          aria-hidden
          className="compare-tag pointer-events-none absolute bottom-3 left-1/2 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 items-center gap-1.5"
        >
          <ScanSearch className="size-4 shrink-0" />
          {t`Ketuk satu bagian untuk pratinjau`}
        </span>
      )}
    </div>
  )
}

function Lens({
  url,
  spot,
  sent,
  params,
  onClose,
}: {
  url: string
  spot: Spot
  sent: Size
  params: EnhancementParams
  onClose: () => void
}) {
  const { t } = useLingui()
  const part = partAround(spot, sent, params.scale)
  const sample = !useAtomValue(isAuthenticatedAtom)
  const made = useDetail(url, sent, { part, params, sample })
  const percent = (share: number) => `${100 * share}%`
  return (
    <>
      <span
        aria-hidden
        className="pointer-events-none absolute rounded-sm border-2 border-white shadow-[0_0_0_1.5px_rgb(24_18_12/0.6)]"
        style={{
          left: percent(part.x / sent.width),
          top: percent(part.y / sent.height),
          width: percent(part.width / sent.width),
          height: percent(part.height / sent.height),
        }}
      />
      <section
        aria-label={t`Pratinjau detail`}
        className="absolute top-2 left-2 grid w-[min(66cqw,26rem,100cqh-1rem)] overflow-hidden rounded-xl bg-base-200 shadow-[0_0_0_2px_#fff,0_4px_24px_rgb(0_0_0/0.45)] data-bottom:top-auto data-bottom:bottom-2 data-right:right-2 data-right:left-auto"
        data-right={spot.x < 0.5 || undefined}
        data-bottom={spot.y < 0.5 || undefined}
        style={{ aspectRatio: part.width / part.height }}
      >
        {made ? (
          <CompareSlider
            label={t`Bandingkan bagian ini sebelum dan sesudah`}
            before={<Pixels picture={made.before} />}
            after={<Pixels picture={made.after} />}
          />
        ) : (
          <div className="working" />
        )}
        <button
          type="button"
          className="absolute top-1 right-1 grid size-11 cursor-pointer place-items-center rounded-full bg-[rgb(24_18_12/0.72)] text-white"
          aria-label={t`Tutup pratinjau detail`}
          onClick={onClose}
        >
          <X aria-hidden className="size-5" />
        </button>
        <p role="status" className="sr-only">
          {made ? t`Pratinjau detail siap` : t`Membuat pratinjau…`}
        </p>
      </section>
    </>
  )
}

function Pixels({ picture }: { picture: Picture }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width, height, data } = picture
  useEffect(() => {
    const pixels = new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height)
    canvas.current?.getContext('2d')?.putImageData(pixels, 0, 0)
  }, [data, width, height])
  return <canvas ref={canvas} width={width} height={height} className="size-full" />
}

interface Wanted {
  part: Box
  params: EnhancementParams
  sample: boolean
}

/**
 * Computed in a worker by the server's code: the latest request, one at a time. Null until the
 * first is there; `size` is the size in which the picture is sent.
 */
function useDetail(url: string, size: Size, wanted: Wanted): EnhancedPart | null {
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
