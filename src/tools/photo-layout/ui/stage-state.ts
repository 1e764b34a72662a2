import { type CellView, type PageShape, pageSize } from '#engine/tasks/layout/index.ts'
import type { ToolFiles, ToolStage } from '#tools/ui/page.ts'
import { type LayoutShape, type PhotoLayoutParams, plainShapes } from '../contract/definition.ts'

export interface LayoutStage {
  /** In the order of the cells; unnamed files follow. */
  order: readonly string[]
  views: Readonly<Record<string, CellView>>
  selected: string | null
  /** On a finished result: pictures are being moved and swapped again. */
  arranging: boolean
}

const idsOf = (files: ToolFiles) => (files.pictures ?? []).map(({ id }) => id)

export function orderedIds({ order }: LayoutStage, files: ToolFiles): string[] {
  const ids = idsOf(files)
  const known = order.filter((id) => ids.includes(id))
  return [...known, ...ids.filter((id) => !known.includes(id))]
}

const isPlain = (shape: LayoutShape): shape is PageShape => (plainShapes as readonly LayoutShape[]).includes(shape)

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
  // Only a platform's proportions matter here; its table loads later.
  frame: ({ shape, turned }) => pageSize(isPlain(shape) ? shape : shape === 'instagram' ? '4:5' : '1:1', turned),
}
