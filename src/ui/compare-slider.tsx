import { useLingui } from '@lingui/react/macro'
import { MoveHorizontal } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'

/** 0 at the left edge to 100. */
export function pointerPercent(x: number, frame: DOMRect): number {
  return Math.min(100, Math.max(0, ((x - frame.left) / frame.width) * 100))
}

export function CompareLine({
  share,
  onMove,
  label,
}: {
  share: number
  onMove: (share: number) => void
  label?: string | undefined
}) {
  const { t } = useLingui()
  const percent = Math.round(share)
  // At an edge the knob lies within the picture.
  const inwards = share < 6 ? 'translate-x-1/2' : share > 94 ? '-translate-x-1/2' : ''
  return (
    <>
      <div className="compare-tags">
        {share > 24 && <span className="compare-tag">{t`Sebelum`}</span>}
        {share < 76 && <span className="compare-tag ml-auto">{t`Sesudah`}</span>}
      </div>
      {/* As wide as the frame, since a translation in percent is a share of its own width: unlike `left`, it
          needs no layout while the line moves. */}
      <div className="compare-line pointer-events-none absolute inset-0 z-1 [translate:var(--split)]">
        <div className="compare-handle pointer-events-auto absolute inset-y-0 -left-[min(1.375rem,24px)] grid w-[min(2.75rem,48px)] cursor-ew-resize place-items-center before:absolute before:inset-y-0 before:left-[calc(50%-1.5px)] before:w-0.75 before:bg-white before:shadow-[0_0_6px_rgb(0_0_0/0.35)]">
          <input
            type="range"
            className="peer sr-only"
            aria-label={label ?? t`Bandingkan sebelum dan sesudah`}
            aria-valuetext={t`${percent}% sebelum`}
            value={percent}
            onChange={({ target }) => onMove(target.valueAsNumber)}
          />
          <span
            className={`compare-knob ${inwards} relative grid size-[min(2.75rem,48px)] place-items-center rounded-full bg-white text-[#2b2118] shadow-[0_2px_10px_rgb(0_0_0/0.3)] transition-[scale,translate] in-[.compare:active]:scale-92 outline-primary-ink outline-offset-2 peer-focus-visible:outline-3`}
          >
            <MoveHorizontal aria-hidden className="size-5" />
          </span>
        </div>
      </div>
    </>
  )
}

/** Both pictures fill the frame, whose size comes from `className`. */
export function CompareSlider({
  before,
  after,
  label,
  start = 50,
  className = '',
}: {
  before: ReactNode
  after: ReactNode
  label?: string
  /** 0 to 100. */
  start?: number
  className?: string
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(start)
  const follow = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box && box.width > 0) setShare(pointerPercent(event.clientX, box))
  }
  return (
    <div
      ref={frame}
      className={`compare relative isolate cursor-ew-resize touch-pan-y select-none overflow-clip [&_img]:pointer-events-none ${className}`}
      data-moved={share !== start || undefined}
      style={{ '--split': `${share}%` } as React.CSSProperties}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event)
      }}
    >
      {/* Cut by a frame that moves one way and its content the other: unlike `clip-path`, translations
          animate without the main thread. */}
      <div className="compare-part absolute inset-0 overflow-clip [translate:calc(var(--split)-100%)]">
        <div className="size-full [translate:calc(100%-var(--split))]">{before}</div>
      </div>
      <div className="compare-part absolute inset-0 overflow-clip [translate:var(--split)]">
        <div className="size-full [translate:calc(-1*var(--split))]">{after}</div>
      </div>
      <CompareLine share={share} onMove={setShare} label={label} />
    </div>
  )
}
