import { useGesture } from '@use-gesture/react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { CompareLine, pointerPercent } from '#ui/compare-slider.tsx'
import { arrowSteps, type Size } from '#ui/geometry.ts'
import { pinchConfig, useZoom } from '#ui/use-zoom.ts'
import { ZoomButtons } from '#ui/zoom-buttons.tsx'
import type { Reveal } from './reveal-animation.ts'

/** Pixels. */
const panStep = 48

/** A finger may be about to scroll, or be the first of two. */
const isTouch = (event: object) => 'pointerType' in event && event.pointerType !== 'mouse'

const side =
  'absolute inset-0 will-change-transform [&>img]:pointer-events-none [&>img]:absolute [&>img]:inset-0 [&>img]:size-full'

/** Zoom and offset apply to both sides. Both must fill a frame of the picture's proportions. */
export function Viewer({
  size,
  before,
  after,
  name,
  reveal,
  children,
}: {
  size: Size
  before: ReactNode | null
  after: ReactNode
  name: string
  reveal?: Reveal
  children?: ReactNode
}) {
  const stage = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  // Opens on the whole result, since the photograph's side could hide the change.
  const [split, setSplit] = useState(0)
  const dissolving = before !== null && reveal?.dissolving === true
  const frameBox = () => frame.current?.getBoundingClientRect() ?? new DOMRect()
  const { view, transform, zoom, move, showAll, onPinch, onKey } = useZoom(frameBox)
  const zoomed = view.scale > 1

  // Preventing page scrolling needs non-passive listeners, unlike React's.
  useGesture(
    {
      onDrag: ({ event, first, touches, pinching, cancel, delta: [x, y], xy: [across], memo }) => {
        const target = event.target as HTMLElement
        if (pinching || touches > 1 || target.closest('button')) return cancel()
        const moves = memo ?? (zoomed && !target.closest('.compare-handle') ? 'view' : 'split')
        const box = frameBox()
        if (moves === 'view') move(x, y)
        else if (before !== null && box.width > 0 && !(first && isTouch(event))) {
          setSplit(pointerPercent(across, box))
        }
        return moves
      },
      onPinch,
      onWheel: ({ event, delta: [, y] }) => {
        if (event.ctrlKey || (!zoomed && (y > 0 || window.scrollY > 0))) return
        event.preventDefault()
        zoom(Math.exp(-y * 0.0025), [event.clientX, event.clientY])
      },
    },
    {
      target: stage,
      eventOptions: { passive: false },
      drag: { pointer: { capture: true, keys: false } },
      pinch: pinchConfig,
    },
  )

  function onStageKey(event: KeyboardEvent) {
    const step = arrowSteps[event.key]
    if (step && zoomed) move(-panStep * step[0], -panStep * step[1])
    else if (!onKey(event.key)) return
    event.preventDefault()
  }

  const layer: CSSProperties = { transform }
  const squares: CSSProperties = { ...layer, backgroundSize: `${20 / view.scale}px ${20 / view.scale}px` }
  return (
    <section
      ref={stage}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the picture
      tabIndex={0}
      aria-label={name}
      className="stage viewer touch-pan-y cursor-ew-resize data-zoomed:cursor-grab data-zoomed:touch-none data-zoomed:active:cursor-grabbing"
      data-zoomed={zoomed || undefined}
      data-revealing={dissolving || undefined}
      onPointerDownCapture={dissolving ? reveal?.finish : undefined}
      onDoubleClick={(event) => {
        if ((event.target as HTMLElement).closest('button')) return
        if (zoomed) showAll()
        else zoom(2.5, [event.clientX, event.clientY])
      }}
      onKeyDown={onStageKey}
    >
      <div className="stage-fit lg:inset-6">
        <div
          ref={frame}
          className="stage-frame"
          style={{ '--ratio': size.width / size.height, '--split': `${before === null ? 0 : split}%` } as CSSProperties}
        >
          {/* Extends beyond the frame, so that a magnified picture fills the stage on its side of
              the line. */}
          <div className="absolute inset-0 [clip-path:inset(-200rem_-200rem_-200rem_var(--split))]">
            <div className={`checker ${side}`} style={squares}>
              {after}
            </div>
          </div>
          {dissolving && (
            <div
              className="pointer-events-none absolute inset-0 animate-[fade_0.55s_0.1s_cubic-bezier(0.8,0,0.5,1)_reverse_both] *:absolute *:inset-0 *:size-full"
              aria-hidden
            >
              {before}
            </div>
          )}
          {before !== null && (
            <>
              <div className="absolute inset-0 [clip-path:inset(-200rem_calc(100%-var(--split))_-200rem_-200rem)]">
                <div className={side} style={layer}>
                  {before}
                </div>
              </div>
              <CompareLine share={split} onMove={setSplit} />
            </>
          )}
        </div>
        <ZoomButtons view={view} zoom={zoom} showAll={showAll} />
      </div>
      {children}
    </section>
  )
}
