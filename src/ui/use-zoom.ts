import type { Handler } from '@use-gesture/react'
import { useState } from 'react'
import { clampView, type View, wholePicture, zoomAt } from './geometry.ts'

type Point = readonly [x: number, y: number]

/** `frame` returns the frame's position in the window. */
export function useZoom(frame: () => DOMRect) {
  const [view, setView] = useState<View>(wholePicture)
  const showAll = () => setView(wholePicture)
  /** Around a point of the window, or the picture's middle. */
  const zoom = (factor: number, at?: Point) => {
    const box = frame()
    const point = at && { x: at[0] - box.left - box.width / 2, y: at[1] - box.top - box.height / 2 }
    setView((now) => zoomAt(now, factor, point ?? { x: 0, y: 0 }, box))
  }
  const move = (x: number, y: number) => setView((now) => clampView({ ...now, x: now.x + x, y: now.y + y }, frame()))
  /** Two fingers also move the picture. */
  const onPinch: Handler<'pinch'> = ({ origin, delta: [scaled], offset: [scale], memo, first }) => {
    const from = first || !memo ? { origin, scale: scale - scaled } : memo
    zoom(scale / from.scale, origin)
    move(origin[0] - from.origin[0], origin[1] - from.origin[1])
    return { origin: [...origin], scale }
  }
  return {
    view,
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    zoom,
    move,
    showAll,
    onPinch,
    /** True when the key was one of the zoom keys. */
    onKey(key: string): boolean {
      if (key === '+' || key === '=') zoom(1.5)
      else if (key === '-') zoom(1 / 1.5)
      else if (key === '0') showAll()
      else return false
      return true
    },
  }
}

/** Scales accumulate over pinches without a limit. */
export const pinchConfig = { scaleBounds: { min: 0.01, max: 100 } }
