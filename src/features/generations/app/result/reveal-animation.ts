import { useEffect, useState } from 'react'

const dissolveMs = 650
const settleMs = 550

/** Each result is revealed once, and none from the history. */
const revealed = new Set<string>()

/** After a preview the background is gone already, so only the line moves. */
const previewed = new Set<string>()
export const markPreviewed = (id: string): void => void previewed.add(id)

export interface Reveal {
  /** `dissolve`: the picture fades into the result; `settle`: the line moves to its position. */
  phase: 'dissolve' | 'settle' | 'done'
  /** Final position of the line in percent; null until known. */
  split: number | null
  finish: () => void
}

export function useReveal(id: string, wanted: boolean, pictureUrl: string | null): Reveal {
  const [phase, setPhase] = useState<Reveal['phase']>(() =>
    !wanted || revealed.has(id) || matchMedia('(prefers-reduced-motion: reduce)').matches
      ? 'done'
      : previewed.has(id)
        ? 'settle'
        : 'dissolve',
  )
  const [split, setSplit] = useState<number | null>(null)
  const moving = phase !== 'done'
  useEffect(() => {
    if (!pictureUrl || !moving) return
    revealed.add(id)
    void settledSplit(pictureUrl).then(setSplit)
  }, [id, pictureUrl, moving])
  useEffect(() => {
    if (!pictureUrl || phase === 'done') return
    const next = () => {
      setPhase(phase === 'dissolve' ? 'settle' : 'done')
      if (phase === 'dissolve') navigator.vibrate?.(12)
    }
    const timer = setTimeout(next, phase === 'dissolve' ? dissolveMs : settleMs)
    return () => clearTimeout(timer)
  }, [pictureUrl, phase])
  return { phase, split, finish: () => setPhase('done') }
}

const sampleSide = 64
/** Share of the visible pixels left of the line, on the input's side. */
const leftShare = 0.07
/** Limits in percent: reachable by a finger, with most of the result visible. */
const [minLeft, maxLeft] = [12, 40]

/** Returns the position in percent; the middle for opaque pictures. */
async function settledSplit(url: string): Promise<number> {
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = new OffscreenCanvas(sampleSide, sampleSide)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return 50
    context.drawImage(image, 0, 0, sampleSide, sampleSide)
    return splitBesideSubject(context.getImageData(0, 0, sampleSide, sampleSide).data, sampleSide)
  } catch {
    // Cross-origin pictures may be unreadable.
    return 50
  }
}

export function splitBesideSubject(pixels: Uint8ClampedArray, width: number): number {
  const columns = new Array<number>(width).fill(0)
  for (let i = 3; i < pixels.length; i += 4)
    columns[(i >> 2) % width] = (columns[(i >> 2) % width] ?? 0) + (pixels[i] ?? 0)
  const whole = columns.reduce((sum, column) => sum + column, 0)
  if (whole === 0 || whole > pixels.length * 0.25 * 255 * 0.98) return 50
  let passed = 0
  const left = columns.findIndex((value) => {
    passed += value
    return passed >= whole * leftShare
  })
  return Math.min(maxLeft, Math.max(minLeft, Math.round((100 * left) / width)))
}
