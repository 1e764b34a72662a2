import './mask-editor.css'
import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { translationBy } from '#engine/image/geometry.ts'
import { arrowSteps, clampShare, type Size } from '../geometry.ts'
import { pinchConfig, useZoom } from '../use-zoom.ts'
import { ZoomButtons } from '../zoom-buttons.tsx'
import { Loupe, type LoupeHandle, useBrush } from './brush.tsx'
import { type MaskView, type Paint, viewOf } from './paint.ts'
import { addStroke, brushSizes, type MaskState, redo, type Stroke, undo } from './strokes.ts'
import { useSelect } from './use-select.ts'

const seedPaint: Paint = { keep: '#22c55e', erase: '#ef4444' }
const maskPaint: Paint = { keep: '#ef4444', erase: null }

/**
 * A finger draws, two fingers or the wheel zoom and move. Keys: arrows move the brush, space
 * lowers it, [ and ] change its size, Ctrl+Z undoes, B and E choose the mode, S toggles selection,
 * + and − zoom.
 */
export function MaskCanvas({
  picture,
  pictureUrl,
  size,
  view = { frame: size, placement: translationBy(0, 0) },
  state,
  onChange,
  paint = 'mask',
  disabled = false,
  selectsOnServer = false,
}: {
  /** Content below the strokes; fills the frame. */
  picture: ReactNode
  /** Picture in which a tap selects. */
  pictureUrl: string | null
  size: Size
  /** All of the picture if absent. */
  view?: MaskView | undefined
  state: MaskState
  onChange: (change: (now: MaskState) => MaskState) => void
  /** `seeds` shows both modes in their own colours; in `mask` the eraser removes. */
  paint?: 'seeds' | 'mask'
  disabled?: boolean
  /** True when the server selects what the user taps. */
  selectsOnServer?: boolean
}) {
  const { t } = useLingui()
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const ring = useRef<HTMLSpanElement>(null)
  const cursor = useRef({ x: 0.5, y: 0.5 })
  const [spoken, setSpoken] = useState('')
  const [searched, setSearched] = useState<readonly { x: number; y: number }[]>([])
  const loupe = useRef<LoupeHandle>(null)
  const { frame, subject } = view
  const seen = viewOf(size, view)
  const strokes = useMemo(
    () => state.history.strokes.filter((stroke) => subject === undefined || stroke.subject === subject),
    [state.history.strokes, subject],
  )
  const brush = useBrush(canvas, strokes, seen.ground, paint === 'seeds' ? seedPaint : maskPaint)
  const select = useSelect(pictureUrl, selectsOnServer)
  const { mode, selecting } = state

  const zoom = useZoom(() => layer.current?.parentElement?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1))
  const shareOf = (clientX: number, clientY: number) => {
    const box = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
  }
  const showRing = (x: number, y: number) => {
    cursor.current = { x: clampShare(x), y: clampShare(y) }
    ring.current?.style.setProperty('left', `${cursor.current.x * 100}%`)
    ring.current?.style.setProperty('top', `${cursor.current.y * 100}%`)
  }
  const add = (stroke: Stroke | null) => {
    if (stroke && stroke.points.length >= 2) {
      const drawn = subject === undefined ? stroke : { ...stroke, subject }
      onChange((now) => ({ ...now, history: addStroke(now.history, drawn) }))
    }
  }
  const selectAt = async (x: number, y: number) => {
    const [across, down] = seen.points([clampShare(x), clampShare(y)]) as [number, number]
    const tap = { x: clampShare(x), y: clampShare(y) }
    setSearched((others) => [...others, tap])
    setSpoken(t`Mencari batas bendanya`)
    const found = await select(across, down, mode).catch(() => null)
    add(found)
    setSearched((others) => others.filter((other) => other !== tap))
    setSpoken(found ? t`Bagian di bawah titik ditandai` : t`Tidak ketemu. Sapu dengan kuas.`)
  }

  const begin = (x: number, y: number) => {
    const [across, down] = seen.points([x, y]) as [number, number]
    brush.begin(mode, seen.width(state.size), across, down)
  }

  const gestures = useGesture(
    {
      onDrag: ({ event, first, last, touches, pinching, tap, cancel, xy: [clientX, clientY] }) => {
        if (last || pinching || touches > 1) loupe.current?.hide()
        if (pinching || touches > 1) {
          brush.cancel()
          cancel()
          return
        }
        const { x, y } = shareOf(clientX, clientY)
        showRing(x, y)
        if (selecting) {
          if (last && tap) void selectAt(x, y)
          return
        }
        if (first) begin(x, y)
        else brush.extend(seen.points(pathOf(event, shareOf)))
        if (last) add(brush.end())
        else if (isTouch(event)) loupe.current?.show({ x, y }, { x: clientX, y: clientY })
      },
      onMove: ({ xy: [x, y], dragging }) => {
        if (dragging) return
        const share = shareOf(x, y)
        showRing(share.x, share.y)
      },
      onPinch: (state) => {
        brush.cancel()
        loupe.current?.hide()
        return zoom.onPinch(state)
      },
      onWheel: ({ event, delta: [, y] }) => {
        if (!event.ctrlKey) zoom.zoom(Math.exp(-y * 0.0025), [event.clientX, event.clientY])
      },
    },
    {
      enabled: !disabled,
      drag: { filterTaps: false, pointer: { capture: true, keys: false } },
      pinch: pinchConfig,
    },
  )

  const longer = Math.max(frame.width, frame.height)
  function onKeyDown(event: KeyboardEvent) {
    const arrow = arrowSteps[event.key]
    const key = event.key.toLowerCase()
    if (arrow) {
      const step = (event.shiftKey ? 4 : 1) * Math.max(0.01, state.size / 2)
      const x = clampShare(cursor.current.x + (arrow[0] * step * longer) / frame.width)
      const y = clampShare(cursor.current.y + (arrow[1] * step * longer) / frame.height)
      showRing(x, y)
      if (brush.drawing) brush.extend(seen.points([x, y]))
    } else if (key === ' ' || key === 'enter') {
      const { x, y } = cursor.current
      if (selecting) void selectAt(x, y)
      else if (brush.drawing) {
        add(brush.end())
        setSpoken(t`Kuas diangkat`)
      } else {
        begin(x, y)
        setSpoken(t`Kuas ditekan, gerakkan dengan panah`)
      }
    } else if (key === 'escape' && brush.drawing) brush.cancel()
    else if (key === 'z' && (event.ctrlKey || event.metaKey)) {
      onChange((now) => ({ ...now, history: event.shiftKey ? redo(now.history) : undo(now.history) }))
    } else if (key === '[' || key === ']') {
      const wanted = state.size * (key === '[' ? 0.8 : 1.25)
      onChange((now) => ({ ...now, size: Math.min(brushSizes.max, Math.max(brushSizes.min, wanted)) }))
    } else if (key === 'b' || key === 'e') onChange((now) => ({ ...now, mode: key === 'b' ? 'keep' : 'erase' }))
    else if (key === 's') {
      onChange((now) => ({ ...now, selecting: !now.selecting }))
    } else if (!zoom.onKey(key)) return
    event.preventDefault()
  }

  return (
    <>
      <div
        {...gestures()}
        role="application"
        aria-disabled={disabled || undefined}
        aria-label={t`Area menggambar. Panah menggerakkan kuas, spasi menekan dan mengangkatnya, kurung siku mengubah ukurannya, Ctrl Z membatalkan.`}
        tabIndex={disabled ? undefined : 0}
        className="mask-canvas"
        data-disabled={disabled || undefined}
        data-selecting={selecting || undefined}
        onKeyDown={disabled ? undefined : onKeyDown}
      >
        <div
          ref={layer}
          className="absolute inset-0 origin-center will-change-transform [&>img]:pointer-events-none [&>img]:absolute [&>img]:inset-0 [&>img]:size-full"
          style={{ transform: zoom.transform }}
        >
          {picture}
          <canvas
            ref={canvas}
            width={seen.canvas.width}
            height={seen.canvas.height}
            className="pointer-events-none absolute inset-0 size-full opacity-55"
          />
          <span
            ref={ring}
            aria-hidden
            className="mask-ring"
            style={
              selecting
                ? undefined
                : {
                    width: `${(state.size * longer * 100) / frame.width}%`,
                    height: `${(state.size * longer * 100) / frame.height}%`,
                  }
            }
          />
          {searched.map(({ x, y }, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: two taps may be at the same point
              key={index}
              aria-hidden
              className="-translate-x-1/2 -translate-y-1/2 btn btn-circle pointer-events-none absolute size-11"
              style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
            >
              <span className="loading loading-sm" />
            </span>
          ))}
        </div>
        <Loupe
          ref={loupe}
          picture={picture}
          layer={layer}
          strokes={canvas}
          brush={(state.size * longer) / frame.width}
        />
        <p role="status" className="sr-only">
          {spoken}
        </p>
      </div>
      {!disabled && <ZoomButtons view={zoom.view} zoom={zoom.zoom} showAll={zoom.showAll} />}
    </>
  )
}

const isTouch = (event: object) => 'pointerType' in event && event.pointerType === 'touch'

/** A fast finger produces more points than frames. */
function pathOf(event: object, shareOf: (x: number, y: number) => { x: number; y: number }): number[] {
  // React wraps the browser's event.
  const native = 'nativeEvent' in event ? event.nativeEvent : event
  if (!(native instanceof PointerEvent)) return []
  const events = native.getCoalescedEvents?.() ?? []
  return (events.length > 0 ? events : [native]).flatMap(({ clientX, clientY }) => {
    const { x, y } = shareOf(clientX, clientY)
    return [x, y]
  })
}
