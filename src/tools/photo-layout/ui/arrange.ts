import { type CellView, zoomLimits } from '#engine/tasks/layout/index.ts'
import type { ToolFile, ToolFiles } from '#tools/ui/page.ts'
import { type LayoutStage, orderedIds } from './stage-state.ts'

export function orderedFiles(state: LayoutStage, files: ToolFiles): ToolFile[] {
  const byId = new Map((files.pictures ?? []).map((file) => [file.id, file]))
  return orderedIds(state, files).flatMap((id) => byId.get(id) ?? [])
}

/** Resets the positions of both pictures. */
export function swapCells(state: LayoutStage, files: ToolFiles, a: number, b: number): LayoutStage {
  const order = orderedIds(state, files)
  const [first, second] = [order[a], order[b]]
  if (first === undefined || second === undefined || a === b) return state
  const views = Object.fromEntries(Object.entries(state.views).filter(([id]) => id !== first && id !== second))
  return { ...state, order: order.with(a, second).with(b, first), views, selected: null }
}

export function setView(state: LayoutStage, id: string, view: CellView | null): LayoutStage {
  const { [id]: _before, ...others } = state.views
  return { ...state, views: view ? { ...others, [id]: rounded(view) } : others }
}

function rounded({ zoom, x, y }: CellView): CellView {
  const within = (value: number, low: number, high: number) =>
    Math.round(1000 * Math.min(high, Math.max(low, value))) / 1000
  return { zoom: within(zoom, zoomLimits.min, zoomLimits.max), x: within(x, 0, 1), y: within(y, 0, 1) }
}
