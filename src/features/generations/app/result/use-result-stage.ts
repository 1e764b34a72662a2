import { useState } from 'react'
import type { PhotoCheckView } from '#tools/contract/views.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
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
