import { movedBy } from '#engine/image/geometry.ts'
import type { Facts } from '../contract/tool.ts'
import type { Place } from './tool-engine.ts'

interface Sized {
  width: number
  height: number
}

/**
 * Where the photograph's pixels came to in an output of that number; null where it does not show
 * the photograph, or nobody knows how. Tools that say nothing of it keep the picture's shape as it
 * is.
 */
export function placeIn(facts: Facts, index: number, output: Sized | undefined, source: Sized | undefined) {
  if (!output || !source) return null
  if (Array.isArray(facts.places)) return (facts.places[index] as Place | null | undefined) ?? null
  const scale = output.width / source.width
  const same = Math.abs(scale * source.height - output.height) < 0.01 * output.height
  return same ? ({ ...movedBy(0, 0), scale } satisfies Place as Place) : null
}
