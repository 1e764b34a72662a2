import type { CSSProperties } from 'react'
import type { Similarity } from '#engine/image/geometry.ts'
import type { Box } from '#shared/media.ts'

/** Pixels of a picture, or of the window that shows it. */
export interface Size {
  width: number
  height: number
}

/** Scale (1 = whole picture) and offset in window pixels. */
export interface View {
  scale: number
  x: number
  y: number
}

export const wholePicture: View = { scale: 1, x: 0, y: 0 }
export const largestScale = 8

/** Keeps the picture's edges at or outside the window's. */
export function clampView(view: View, window: Size): View {
  const scale = Math.min(largestScale, Math.max(1, view.scale))
  const reach = { x: ((scale - 1) * window.width) / 2, y: ((scale - 1) * window.height) / 2 }
  const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) || 0
  return { scale, x: within(view.x, reach.x), y: within(view.y, reach.y) }
}

/** The point, relative to the window's centre, stays fixed. */
export function zoomAt(view: View, factor: number, point: { x: number; y: number }, window: Size): View {
  const scale = Math.min(largestScale, Math.max(1, view.scale * factor))
  const ratio = scale / view.scale
  return clampView({ scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio }, window)
}

/** Boxes are shares (0 to 1) of width and height, independent of the shown or sent size. */
export const firstBox: Box = { x: 0.2, y: 0.2, width: 0.6, height: 0.6 }

/** As a share of the picture. */
const smallestShare = 0.04

/** Clipped to the picture and at least `smallestShare` wide and high. */
export function boxBetween(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  const within = (value: number) => Math.min(1, Math.max(0, value))
  const span = (from: number, to: number) => {
    const [low, high] = [within(Math.min(from, to)), within(Math.max(from, to))]
    const length = Math.max(smallestShare, high - low)
    return { start: Math.min(low, 1 - length), length }
  }
  const [across, down] = [span(a.x, b.x), span(a.y, b.y)]
  return { x: across.start, y: down.start, width: across.length, height: down.length }
}

export function moveBox(box: Box, x: number, y: number): Box {
  return {
    ...box,
    x: Math.min(1 - box.width, Math.max(0, box.x + x)),
    y: Math.min(1 - box.height, Math.max(0, box.y + y)),
  }
}

export type Handle = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw'

export function resizeBox(box: Box, handle: Handle, x: number, y: number): Box {
  let [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height]
  if (handle.includes('w')) left = Math.min(left + x, right - smallestShare)
  if (handle.includes('e')) right = Math.max(right + x, left + smallestShare)
  if (handle.includes('n')) top = Math.min(top + y, bottom - smallestShare)
  if (handle.includes('s')) bottom = Math.max(bottom + y, top + smallestShare)
  return boxBetween({ x: left, y: top }, { x: right, y: bottom })
}

/** Whole pixels inside the picture, at least 8 a side. */
export function boxInPixels(box: Box, size: Size): Box {
  const width = Math.min(size.width, Math.max(8, Math.round(box.width * size.width)))
  const height = Math.min(size.height, Math.max(8, Math.round(box.height * size.height)))
  return {
    x: Math.min(size.width - width, Math.round(box.x * size.width)),
    y: Math.min(size.height - height, Math.round(box.y * size.height)),
    width,
    height,
  }
}

export function styleAt(placement: Similarity, picture: Size, frame: Size): CSSProperties {
  const percent = (length: number, of: number) => `${(100 * length) / of}%`
  return {
    position: 'absolute',
    inset: 'auto',
    left: percent(placement.x, frame.width),
    top: percent(placement.y, frame.height),
    width: percent(picture.width * placement.scale, frame.width),
    height: percent(picture.height * placement.scale, frame.height),
    maxWidth: 'none',
    transformOrigin: '0 0',
    transform: placement.angle === 0 ? undefined : `rotate(${placement.angle}rad)`,
  }
}

/** Right and down are positive. */
export const arrowSteps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export const clampShare = (share: number) => Math.min(1, Math.max(0, share))
