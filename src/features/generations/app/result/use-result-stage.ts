import { useState } from 'react'
import type { AnyToolPage, ToolStage } from '#tools/page.ts'
import type { GenerationView } from '../../contract.ts'

interface ResultStage {
  component: ToolStage<Record<string, unknown>>['component']
  state: unknown
  onChange: (change: (now: unknown) => unknown) => void
  /** Whether it takes the place of the comparison now. */
  active: boolean
}

/** The tool's own stage on a finished result; null where there is none, or the input is no longer kept. */
export function useResultStage(
  page: AnyToolPage,
  generation: GenerationView,
  onParams: (change: Record<string, unknown>) => void,
): ResultStage | null {
  const source = generation.inputs[0]
  const params = { ...page.facts.defaults, ...generation.params }
  const [changed, setChanged] = useState<{ state: unknown } | null>(null)
  const { stage } = page
  if (!stage || !source) return null
  const state = changed ? changed.state : stage.from(params, source)
  return {
    component: stage.component,
    state,
    onChange(change) {
      const next = change(state)
      setChanged({ state: next })
      const [now, then] = [stage.params(state, source), stage.params(next, source)]
      if (JSON.stringify(now) !== JSON.stringify(then)) onParams(then)
    },
    active: stage.active(state, 'after'),
  }
}
