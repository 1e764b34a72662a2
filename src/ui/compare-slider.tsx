import { useLingui } from '@lingui/react/macro'
import { MoveHorizontal } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'

const keySteps: Record<string, number> = {
  ArrowLeft: -2,
  ArrowDown: -2,
  ArrowRight: 2,
  ArrowUp: 2,
  PageDown: -20,
  PageUp: 20,
}
const within = (share: number) => Math.min(100, Math.max(0, share))

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
  const { t } = useLingui()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(start)

  const follow = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box && box.width > 0) setShare(within(((event.clientX - box.left) / box.width) * 100))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    const target =
      event.key === 'Home' ? 0 : event.key === 'End' ? 100 : step === undefined ? null : within(share + step)
    if (target === null) return
    event.preventDefault()
    setShare(target)
  }
  const rounded = Math.round(share)
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
      {share > 22 && <span className="compare-tag left-3">{beforeLabel ?? t`Sebelum`}</span>}
      {share < 78 && <span className="compare-tag right-3">{afterLabel ?? t`Sesudah`}</span>}
      <div
        id={id}
        className="compare-handle"
        role="slider"
        tabIndex={0}
        aria-label={label ?? t`Bandingkan sebelum dan sesudah`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={rounded}
        aria-valuetext={t`${rounded}% sebelum`}
        onKeyDown={onKeyDown}
      >
        <span className="compare-knob">
          <MoveHorizontal aria-hidden className="size-5" />
        </span>
      </div>
    </div>
  )
}
