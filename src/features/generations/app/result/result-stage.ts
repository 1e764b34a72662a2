import { useState } from 'react'
import { composeSimilarities, transform, translationBy } from '#engine/image/geometry.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { type Placement, outputPlacement as placeOf } from '#tools/engine/tool-engine.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/paint.ts'
import type { GenerationView } from '../../schemas.ts'
import { resultFiles } from '../studio/inputs.ts'
import type { StageView } from '../studio/use-tool-stage.ts'

type Params = Record<string, unknown>

/** Null without a stage, or after the input was deleted. */
export function useResultStage(
  page: AnyToolPage,
  generation: GenerationView,
  rerender: { params: Params; change: (change: Params) => void; replaced: number },
): StageView | null {
  const source = generation.inputs[0]
  const [changed, setChanged] = useState<{ state: unknown; after: number } | null>(null)
  const { stage } = page
  if (!stage || !source) return null
  const files = resultFiles(generation)
  const state =
    changed?.after === rerender.replaced
      ? changed.state
      : stage.from({ ...page.definition.defaults, ...generation.params }, source, files)
  return {
    component: stage.component,
    active: stage.active(state, 'after', files),
    frame: stage.frame?.(rerender.params, state, files) ?? source,
    props: {
      size: source,
      state,
      onChange(change) {
        const next = change(state)
        setChanged({ state: next, after: rerender.replaced })
        const [now, then] = [state, next].map((of) => stage.params(of, source, files, null))
        if (then && JSON.stringify(now) !== JSON.stringify(then)) rerender.change(then)
      },
      params: rerender.params,
      onParams: rerender.change,
      files,
      choice: null,
      check: foundFaces(generation),
    },
  }
}

function foundFaces({ facts, credits }: GenerationView): PhotoCheckView | null {
  if (!Array.isArray(facts.faces)) return null
  return { credits, facts, faces: facts.faces as PhotoCheckView['faces'], warnings: [], problems: [], checks: [] }
}

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
