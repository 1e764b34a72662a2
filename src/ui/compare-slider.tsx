import { useLingui } from '@lingui/react/macro'
import { MoveHorizontal } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'

const keySteps: Record<string, number> = {
  ArrowLeft: -2,
  ArrowDown: -2,
  ArrowRight: 2,
  ArrowUp: 2,
  PageDown: -20,
  PageUp: 20,
  Home: -100,
  End: 100,
}
const within = (share: number) => Math.min(100, Math.max(0, share))

/** Where a pointer is on a frame, from 0 at its left edge to 100. */
export function shareAt(x: number, frame: DOMRect): number {
  return within(((x - frame.left) / frame.width) * 100)
}

/**
 * The line between before and after, which keys move, with the names of its sides where there is
 * space for them.
 */
export function CompareLine({
  share,
  onMove,
  label,
  names,
}: {
  share: number
  onMove: (share: number) => void
  /** What it compares, for screen readers. */
  label?: string | undefined
  names?: readonly [before: string | undefined, after: string | undefined]
}) {
  const { t } = useLingui()
  const percent = Math.round(share)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onMove(within(share + step))
  }
  return (
    <>
      {share > 24 && <span className="compare-tag left-3">{names?.[0] ?? t`Sebelum`}</span>}
      {share < 76 && <span className="compare-tag right-3">{names?.[1] ?? t`Sesudah`}</span>}
      <div
        className="compare-handle z-1 cursor-ew-resize"
        role="slider"
        tabIndex={0}
        aria-label={label ?? t`Bandingkan sebelum dan sesudah`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={t`${percent}% sebelum`}
        onKeyDown={onKeyDown}
      >
        <span className="compare-knob">
          <MoveHorizontal aria-hidden className="size-5" />
        </span>
      </div>
    </>
  )
}

/**
 * Before and after, one over the other, with a line that is dragged by mouse, finger or keys.
 * Both sides fill the frame, whose size comes from `className` (e.g. an aspect ratio).
 */
export function CompareSlider({
  before,
  after,
  label,
  beforeLabel,
  afterLabel,
  start = 50,
  className = '',
}: {
  before: ReactNode
  after: ReactNode
  /** What the line compares, for screen readers. */
  label?: string
  beforeLabel?: string
  afterLabel?: string
  /** Where the line starts, 0 to 100. */
  start?: number
  className?: string
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(start)
  const follow = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box && box.width > 0) setShare(shareAt(event.clientX, box))
  }
  return (
    <div
      ref={frame}
      className={`compare ${className}`}
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
      <div className="compare-side compare-before">{before}</div>
      <div className="compare-side compare-after">{after}</div>
      <CompareLine share={share} onMove={setShare} label={label} names={[beforeLabel, afterLabel]} />
    </div>
  )
}
