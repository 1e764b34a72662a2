import type { CSSProperties } from 'react'
import { toolList } from '#tools/tool-list.ts'

const wholeRow: CSSProperties = { gridColumn: '1 / -1' }

/** Twelve tools fill rows of two, three, four and six; the last entry gets a row of its own. */
export const inLastRow = (tool: (typeof toolList)[number]): CSSProperties | undefined =>
  tool === toolList.at(-1) ? wholeRow : undefined
