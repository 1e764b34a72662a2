import { type CSSProperties, useState } from 'react'
import { chain, movedBy, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Place } from '#tools/engine/tool-engine.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/mask-view.ts'
import type { GenerationView } from '../../types.ts'

/**
 * Where the photograph's pixels came to in an output; null where it does not show the photograph,
 * or nobody knows how. Tools that say nothing of it keep the picture's shape as it is.
 */
export function placeIn({ facts, outputs, inputs }: GenerationView, index: number): Place | null {
  const [output, source] = [outputs[index], inputs[0]]
  if (!output || !source) return null
  if (Array.isArray(facts.places)) return (facts.places[index] as Place | null | undefined) ?? null
  const scale = output.width / source.width
  return Math.abs(scale * source.height - output.height) < 0.01 * output.height ? { ...movedBy(0, 0), scale } : null
}

/** How much is seen around a result while it is corrected, as a share of its longer side. */
const room = 0.08

/** What is seen while a result is corrected: all of it, and what of the photograph is around it. */
function viewAround(output: Size, source: Size, { subject, ...place }: Place): MaskView {
  const more = room * Math.max(output.width, output.height)
  const corners = [0, source.width].flatMap((x) => [0, source.height].map((y) => transform(place, { x, y })))
  const span = (side: number, values: number[]) => {
    const from = Math.max(-more, Math.min(0, ...values))
    return { from, length: Math.min(side + more, Math.max(side, ...values)) - from }
  }
  const across = span(
    output.width,
    corners.map(({ x }) => x),
  )
  const down = span(
    output.height,
    corners.map(({ y }) => y),
  )
  return {
    frame: { width: across.length, height: down.length },
    place: chain(place, movedBy(-across.from, -down.from)),
    subject,
  }
}

/**
 * What is seen of a photograph while its result is drawn on. It stays as it was at the first
 * stroke, though the result may be cropped otherwise after each. Null while nothing is drawn, or
 * nobody knows where the photograph lies in the result.
 */
export function useCorrectionView(
  drawing: boolean,
  output: Size | undefined,
  source: Size | undefined,
  place: Place | null | undefined,
): MaskView | null {
  const known = drawing && output && source && place
  const [kept, setKept] = useState<MaskView | null>(null)
  if (known && !kept) setKept(viewAround(output, source, place))
  if (!drawing && kept) setKept(null)
  return kept
}

/** Lays a picture into a frame of which its place is known. */
export function styleAt(place: Similarity, picture: Size, frame: Size): CSSProperties {
  const percent = (length: number, of: number) => `${(100 * length) / of}%`
  return {
    position: 'absolute',
    inset: 'auto',
    left: percent(place.x, frame.width),
    top: percent(place.y, frame.height),
    width: percent(picture.width * place.scale, frame.width),
    height: percent(picture.height * place.scale, frame.height),
    maxWidth: 'none',
    transformOrigin: '0 0',
    transform: place.angle === 0 ? undefined : `rotate(${place.angle}rad)`,
  }
}
