import { useLingui } from '@lingui/react/macro'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { CompareLine, shareAt } from '#ui/compare-slider.tsx'
import type { Size } from '#ui/geometry.ts'
import { clampView, largestScale, type View, wholePicture, zoomAt } from '#ui/geometry.ts'
import type { Reveal } from './reveal.ts'

const panSteps: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: 48, y: 0 },
  ArrowRight: { x: -48, y: 0 },
  ArrowUp: { x: 0, y: 48 },
  ArrowDown: { x: 0, y: -48 },
}

type Touch = { x: number; y: number }
const middle = (a: Touch, b: Touch) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const distance = (a: Touch, b: Touch) => Math.hypot(a.x - b.x, a.y - b.y)

const side =
  'absolute inset-0 will-change-transform [&>img]:pointer-events-none [&>img]:absolute [&>img]:inset-0 [&>img]:size-full'

/**
 * A result against what it was made from, with a dividing line, and zoom and movement that both
 * sides share: two fingers, wheel, double tap, buttons and arrow keys. Both sides must fill the
 * frame of the picture's proportions.
 */
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
  /** What is looked at, for screen readers. */
  name: string
  /** A result that was just made dissolves out of its picture first. */
  reveal?: Reveal
  /** Shown over the picture, e.g. progress. */
  children?: ReactNode
}) {
  const { t } = useLingui()
  const stage = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [moved, setSplit] = useState<number | null>(null)
  const phase = (before !== null && reveal?.phase) || 'done'
  const split = moved ?? (phase === 'done' ? (reveal?.split ?? 50) : phase === 'settle' ? (reveal?.split ?? 0) : 0)
  const [view, setView] = useState<View>(wholePicture)
  const touches = useRef(new Map<number, Touch>())
  const dragging = useRef<'split' | 'view' | null>(null)
  const zoomed = view.scale > 1

  const frameBox = () => frame.current?.getBoundingClientRect() ?? new DOMRect()
  const centred = (point: Touch) => {
    const box = frameBox()
    return { x: point.x - box.left - box.width / 2, y: point.y - box.top - box.height / 2 }
  }
  const zoom = (factor: number, point: Touch = { x: 0, y: 0 }) =>
    setView((now) => zoomAt(now, factor, point, frameBox()))
  const followSplit = (x: number) => {
    const box = frameBox()
    if (before !== null && box.width > 0) setSplit(shareAt(x, box))
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return
    const target = event.target as HTMLElement
    if (target.closest('button')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    dragging.current = zoomed && !target.closest('[role=slider]') ? 'view' : 'split'
    if (touches.current.size === 1 && dragging.current === 'split' && event.pointerType === 'mouse')
      followSplit(event.clientX)
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    const last = touches.current.get(event.pointerId)
    if (!last) return
    const here = { x: event.clientX, y: event.clientY }
    const other = [...touches.current].find(([id]) => id !== event.pointerId)?.[1]
    touches.current.set(event.pointerId, here)
    if (other) {
      const [from, to] = [middle(last, other), middle(here, other)]
      const factor = distance(here, other) / Math.max(1, distance(last, other))
      setView((now) => {
        const scaled = zoomAt(now, factor, centred(to), frameBox())
        return clampView({ ...scaled, x: scaled.x + to.x - from.x, y: scaled.y + to.y - from.y }, frameBox())
      })
    } else if (dragging.current === 'view') {
      setView((now) => clampView({ ...now, x: now.x + here.x - last.x, y: now.y + here.y - last.y }, frameBox()))
    } else {
      followSplit(here.x)
    }
  }

  function onPointerUp(event: PointerEvent<HTMLDivElement>) {
    touches.current.delete(event.pointerId)
    if (touches.current.size === 0) dragging.current = null
  }

  // React listens to wheels passively; keeping the page still needs the real thing.
  useEffect(() => {
    const element = stage.current
    const onWheel = (event: WheelEvent) => {
      const box = frame.current?.getBoundingClientRect()
      if (!box) return
      if (!event.ctrlKey && !zoomed && (event.deltaY > 0 || window.scrollY > 0)) return
      event.preventDefault()
      const point = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
      setView((now) => zoomAt(now, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0025)), point, box))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [zoomed])

  function onStageKey(event: KeyboardEvent) {
    const step = panSteps[event.key]
    if (event.key === '+' || event.key === '=') zoom(1.5)
    else if (event.key === '-') zoom(1 / 1.5)
    else if (event.key === '0') setView(wholePicture)
    else if (step && zoomed) setView((now) => clampView({ ...now, x: now.x + step.x, y: now.y + step.y }, frameBox()))
    else return
    event.preventDefault()
  }

  const buttons = [
    { label: t`Tampilkan seluruh foto`, icon: Maximize, shown: zoomed, onClick: () => setView(wholePicture) },
    { label: t`Perkecil`, icon: ZoomOut, shown: zoomed, onClick: () => zoom(1 / 1.6) },
    { label: t`Perbesar`, icon: ZoomIn, disabled: view.scale >= largestScale, onClick: () => zoom(1.6) },
  ]
  const layer: CSSProperties = { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }
  const squares: CSSProperties = { ...layer, backgroundSize: `${20 / view.scale}px ${20 / view.scale}px` }
  return (
    <section
      ref={stage}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be moved with the arrow keys
      tabIndex={0}
      aria-label={name}
      className="stage viewer touch-pan-y cursor-ew-resize data-zoomed:cursor-grab data-zoomed:touch-none data-zoomed:active:cursor-grabbing"
      data-zoomed={zoomed || undefined}
      data-revealing={phase !== 'done' || undefined}
      onPointerDownCapture={phase === 'done' ? undefined : reveal?.finish}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={(event) => {
        if ((event.target as HTMLElement).closest('button')) return
        if (zoomed) setView(wholePicture)
        else zoom(2.5, centred({ x: event.clientX, y: event.clientY }))
      }}
      onKeyDown={onStageKey}
    >
      <div className="stage-fit lg:inset-6">
        <div
          ref={frame}
          className="stage-frame"
          style={{ '--ratio': size.width / size.height, '--split': `${before === null ? 0 : split}%` } as CSSProperties}
        >
          {/* Far beyond the frame, so that a magnified picture fills the whole stage on its side of the line. */}
          <div className="absolute inset-0 [clip-path:inset(-200rem_-200rem_-200rem_var(--split))]">
            <div className={`checker ${side}`} style={squares}>
              {after}
            </div>
          </div>
          {before !== null && phase === 'dissolve' && (
            <div
              className="pointer-events-none absolute inset-0 animate-[fade_0.9s_0.15s_cubic-bezier(0.8,0,0.5,1)_reverse_both] *:absolute *:inset-0 *:size-full"
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
      </div>
      {children}
      <div className="viewer-tools absolute top-3 right-3 z-2 flex gap-2">
        {buttons.map(
          ({ label, icon: Icon, shown = true, ...button }) =>
            shown && (
              <button
                key={label}
                type="button"
                className="btn btn-circle border-0 bg-[rgb(24_18_12/0.6)] text-white backdrop-blur-sm disabled:bg-[rgb(24_18_12/0.6)] disabled:text-white disabled:opacity-40"
                aria-label={label}
                {...button}
              >
                <Icon aria-hidden className="size-5" />
              </button>
            ),
        )}
      </div>
    </section>
  )
}
