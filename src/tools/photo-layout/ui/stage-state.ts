import { type CellView, pageSize, zoomLimits } from '#engine/tasks/layout/index.ts'
import type { ToolFile, ToolFiles, ToolStage } from '#tools/ui/page.ts'
import type { PhotoLayoutParams } from '../contract/definition.ts'

/** Which picture lies in which cell and how, by the ids of the files. */
export interface LayoutStage {
  /** In the order of the cells; files that are not named follow. */
  order: readonly string[]
  /** How pictures were moved and enlarged by hand. */
  views: Readonly<Record<string, CellView>>
  selected: string | null
  /** On a finished result: pictures are being moved and swapped again. */
  arranging: boolean
}

const idsOf = (files: ToolFiles) => (files.pictures ?? []).map(({ id }) => id)

/** Ids in the order of the cells, for the files there are now. */
function orderedIds({ order }: LayoutStage, files: ToolFiles): string[] {
  const ids = idsOf(files)
  const known = order.filter((id) => ids.includes(id))
  return [...known, ...ids.filter((id) => !known.includes(id))]
}

/** The files in the order of the cells. */
export function orderedFiles(state: LayoutStage, files: ToolFiles): ToolFile[] {
  const byId = new Map((files.pictures ?? []).map((file) => [file.id, file]))
  return orderedIds(state, files).flatMap((id) => byId.get(id) ?? [])
}

/** Exchanges the pictures of two cells; each is arranged anew in its new one. */
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

/** How the stage's state becomes parameters, and the other way round. */
export const layoutStage: Omit<ToolStage<PhotoLayoutParams, LayoutStage>, 'component'> = {
  from({ order, views }, _size, files) {
    const ids = idsOf(files)
    const placed = order.length === ids.length ? order.map((i) => ids[i] ?? '') : []
    return {
      order: placed,
      views: Object.fromEntries(ids.flatMap((id, i) => (views[i] ? [[id, views[i]]] : []))),
      selected: null,
      arranging: false,
    }
  },
  params(state, _size, files) {
    const ids = idsOf(files)
    const order = orderedIds(state, files).map((id) => ids.indexOf(id))
    const moved = ids.map((id) => state.views[id] ?? null)
    return {
      order: order.every((index, cell) => index === cell) ? [] : order,
      views: moved.some((view) => view !== null) ? moved : [],
    }
  },
  active: ({ arranging }, phase, files) => {
    const count = files.pictures?.length ?? 0
    return (phase === 'before' || arranging) && count >= 4 && count <= 8
  },
  frame: ({ shape, turned }) => pageSize(shape, turned),
}
