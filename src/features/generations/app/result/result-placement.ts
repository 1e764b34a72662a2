import { useState } from 'react'
import { composeSimilarities, transform, translationBy } from '#engine/image/geometry.ts'
import { outputPlacement as placeOf } from '#tools/engine/output-placement.ts'
import type { Placement } from '#tools/engine/tool-engine.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/mask-view.ts'
import type { GenerationView } from '../../schemas.ts'

/** Null where unknown, and for pages of several photographs. */
export function resultPlacement(
  { facts, outputs, inputs }: Pick<GenerationView, 'facts' | 'outputs' | 'inputs'>,
  index: number,
): Placement | null {
  const [source, ...others] = inputs
  if (others.some(({ input }) => input === source?.input)) return null
  return placeOf(facts, index, outputs[index], source)
}

/** Visible margin during correction, as a share of the result's longer side. */
const marginShare = 0.08

function viewAround(output: Size, source: Size, { subject, ...placement }: Placement): MaskView {
  const margin = marginShare * Math.max(output.width, output.height)
  const corners = [0, source.width].flatMap((x) => [0, source.height].map((y) => transform(placement, { x, y })))
  const span = (side: number, values: number[]) => {
    const from = Math.max(-margin, Math.min(0, ...values))
    return { from, length: Math.min(side + margin, Math.max(side, ...values)) - from }
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
    placement: composeSimilarities(placement, translationBy(-across.from, -down.from)),
    subject,
  }
}

/**
 * Frozen at the first stroke, since each stroke may change the result's crop. Null while not
 * drawing, or where the mapping is unknown.
 */
export function useCorrectionView(
  drawing: boolean,
  output: Size | undefined,
  source: Size | undefined,
  placement: Placement | null | undefined,
): MaskView | null {
  const known = drawing && output && source && placement
  const [kept, setKept] = useState<MaskView | null>(null)
  if (known && !kept) setKept(viewAround(output, source, placement))
  if (!drawing && kept) setKept(null)
  return kept
}
