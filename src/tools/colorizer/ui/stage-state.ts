import type { ToolStage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import { type ColorHint, type ColorizerParams, maxHints } from '../contract/definition.ts'

/** In shares of the picture's width and height; its size is a share of the longer side. */
export type ShareHint = ColorHint

export interface HintStage {
  painting: boolean
  /** A tap colours the whole region below it. */
  selecting: boolean
  color: string
  hints: readonly ShareHint[]
}

/** Share of the picture's longer side. */
export const hintSize = 0.018

export const addHint = (stage: HintStage, hint: Omit<ShareHint, 'color'>): HintStage => ({
  ...stage,
  hints: [...stage.hints, { color: stage.color, ...hint }].slice(-maxHints),
})

export const hintStage: Omit<ToolStage<ColorizerParams, HintStage>, 'component'> = {
  from: ({ hints }, { width, height }: Size) => ({
    painting: false,
    selecting: false,
    color: '#c68863',
    hints: hints.map((hint) => ({
      ...hint,
      size: hint.size / Math.max(width, height),
      points: hint.points.map((pixel, i) => pixel / (i % 2 === 0 ? width : height)),
    })),
  }),
  params: ({ hints }, { width, height }) => ({
    hints: hints.map((hint) => ({
      ...hint,
      size: Math.max(1, Math.round(hint.size * Math.max(width, height))),
      points: hint.points.map((share, i) => Math.round(share * (i % 2 === 0 ? width : height))),
    })),
  }),
  active: ({ painting }) => painting,
}
