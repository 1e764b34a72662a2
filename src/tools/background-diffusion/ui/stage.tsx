import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { type KeyboardEvent, useRef } from 'react'
import type { StageProps } from '#tools/ui/page.ts'
import { arrowSteps } from '#ui/arrow-keys.ts'
import type { BackgroundDiffusionParams } from '../contract/definition.ts'
import { clampPlacement, type PlacementStage } from './stage-state.ts'

/** Moves the photograph before the start, its frame on a result. Keys: arrows, + and −. */
export function PlacementCanvas({
  picture,
  choice,
  state,
  onChange,
}: StageProps<PlacementStage, BackgroundDiffusionParams>) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const finished = choice === null
  const move = (x: number, y: number, scale = state.scale) => onChange((now) => clampPlacement({ ...now, x, y, scale }))
  const gestures = useGesture(
    {
      onDrag: ({ first, movement: [dx, dy], pinching, cancel, memo }) => {
        if (pinching) {
          cancel()
          return memo
        }
        const start = first || !memo ? { x: state.x, y: state.y } : memo
        const { clientWidth = 1, clientHeight = 1 } = area.current ?? {}
        move(start.x + dx / clientWidth, start.y + dy / clientHeight)
        return start
      },
      onPinch: ({ first, movement: [factor], memo }) => {
        const start = first || !memo ? state.scale : memo
        move(state.x, state.y, start * factor)
        return start
      },
      onWheel: ({ event, delta: [, y] }) => {
        if (!event.ctrlKey) move(state.x, state.y, state.scale * Math.exp(-y * 0.0015))
      },
    },
    { drag: { pointer: { capture: true, keys: false } } },
  )

  function onKeyDown(event: KeyboardEvent) {
    const arrow = arrowSteps[event.key]
    if (arrow) move(state.x + 0.02 * arrow[0], state.y + 0.02 * arrow[1])
    else if (event.key === '+' || event.key === '=') move(state.x, state.y, state.scale * 1.08)
    else if (event.key === '-') move(state.x, state.y, state.scale / 1.08)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={area}
      {...gestures()}
      role="application"
      aria-label={t`Panah menggeser, tambah dan kurang mengubah ukuran`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the element is moved with keys
      tabIndex={0}
      className="absolute inset-0 cursor-grab touch-none checker overflow-hidden rounded-lg"
      onKeyDown={onKeyDown}
    >
      {finished && <div className="absolute inset-0 *:pointer-events-none *:size-full">{picture}</div>}
      <div
        className="absolute inset-0 origin-bottom outline-2 outline-primary -outline-offset-1 outline-dashed *:pointer-events-none *:size-full"
        style={{ transform: `translate(${100 * state.x}%, ${100 * state.y}%) scale(${state.scale})` }}
      >
        {!finished && picture}
      </div>
    </div>
  )
}
