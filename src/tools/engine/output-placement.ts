import { translationBy } from '#engine/image/geometry.ts'
import type { Facts } from '../contract/tool.ts'
import type { Placement } from './tool-engine.ts'

interface Sized {
  width: number
  height: number
}

/**
 * Null where the output does not show the photograph or the mapping is unknown. Tools without an
 * entry keep the picture's shape.
 */
export function outputPlacement(facts: Facts, index: number, output: Sized | undefined, source: Sized | undefined) {
  if (!output || !source) return null
  if (Array.isArray(facts.places)) return (facts.places[index] as Placement | null | undefined) ?? null
  const scale = output.width / source.width
  const same = Math.abs(scale * source.height - output.height) < 0.01 * output.height
  return same ? ({ ...translationBy(0, 0), scale } satisfies Placement as Placement) : null
}
