import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Box } from '#shared/media.ts'
import { arrowSteps, boxBetween, type Handle, moveBox, resizeBox } from './geometry.ts'

const corners: { handle: Handle; className: string }[] = [
  { handle: 'nw', className: 'top-0 left-0 cursor-nwse-resize' },
  { handle: 'ne', className: 'top-0 left-full cursor-nesw-resize' },
  { handle: 'sw', className: 'top-full left-0 cursor-nesw-resize' },
  { handle: 'se', className: 'top-full left-full cursor-nwse-resize' },
]

/** Keys: arrows move, Shift+arrows resize; steps of 1 %, larger with Alt. */
export function BoxMarker({
  box,
  marking,
  onChange,
}: {
  box: Box | null
  /** True while dragging on the picture draws a new rectangle. */
  marking: boolean
  onChange: (box: Box) => void
}) {
  const { t } = useLingui()
  const layer = useRef<HTMLDivElement>(null)
  const drag = useRef<{
    kind: 'draw' | 'move' | Handle
    start: { x: number; y: number }
    from: Box | null
  } | null>(null)

  const shareOf = (event: PointerEvent) => {
    const bounds = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (event.clientX - bounds.left) / bounds.width, y: (event.clientY - bounds.top) / bounds.height }
  }

  function begin(kind: 'draw' | 'move' | Handle, event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.stopPropagation()
    layer.current?.setPointerCapture(event.pointerId)
    drag.current = { kind, start: shareOf(event), from: box }
  }

  function follow(event: PointerEvent) {
    const now = drag.current
    if (!now) return
    const here = shareOf(event)
    const [x, y] = [here.x - now.start.x, here.y - now.start.y]
    if (now.kind === 'draw') {
      if (Math.hypot(x, y) > 0.02) onChange(boxBetween(now.start, here))
    } else if (now.from) {
      onChange(now.kind === 'move' ? moveBox(now.from, x, y) : resizeBox(now.from, now.kind, x, y))
    }
  }

  const end = () => {
    drag.current = null
  }

  function onKeyDown(event: KeyboardEvent) {
    const move = arrowSteps[event.key]
    if (!move || !box) return
    event.preventDefault()
    const step = event.altKey ? 0.1 : 0.01
    const [x, y] = [move[0] * step, move[1] * step]
    onChange(event.shiftKey ? resizeBox(box, 'se', x, y) : moveBox(box, x, y))
  }

  const percent = (share: number) => `${share * 100}%`
  const words = box && {
    width: Math.round(box.width * 100),
    height: Math.round(box.height * 100),
    left: Math.round(box.x * 100),
    top: Math.round(box.y * 100),
  }
  return (
    <div
      ref={layer}
      className={`absolute inset-0 ${marking ? 'cursor-crosshair touch-none' : 'pointer-events-none'}`}
      onPointerDown={(event) => marking && begin('draw', event)}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {box && words && (
        <fieldset
          aria-roledescription={t`kotak yang bisa digeser`}
          aria-label={t`Kotak objek: lebar ${words.width}%, tinggi ${words.height}%, dari kiri ${words.left}%, dari atas ${words.top}%. Panah menggeser, Shift dan panah mengubah ukuran.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the box is moved with the arrow keys
          tabIndex={0}
          className="pointer-events-auto absolute cursor-move touch-none rounded-md shadow-[0_0_0_200rem_rgb(24_18_12/0.5),0_0_0_4px_rgb(24_18_12/0.4)] outline-2 outline-white focus-visible:outline-4 focus-visible:outline-primary"
          style={{
            left: percent(box.x),
            top: percent(box.y),
            width: percent(box.width),
            height: percent(box.height),
          }}
          onPointerDown={(event) => begin('move', event)}
          onKeyDown={onKeyDown}
        >
          {corners.map(({ handle, className: position }) => (
            <span
              key={handle}
              className={`absolute -m-5.5 grid size-11 touch-none place-items-center before:size-4 before:rounded-full before:bg-white before:shadow-[0_1px_4px_rgb(0_0_0/0.5)] ${position}`}
              onPointerDown={(event) => begin(handle, event)}
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}
