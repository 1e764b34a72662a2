import type { CSSProperties } from 'react'
import { publicToolEntries } from '#tools/tool-list.ts'

const wholeRow: CSSProperties = { gridColumn: '1 / -1' }

/** Twelve tools fill rows of two, three, four and six; the last entry gets a row of its own. */
export const inLastRow = (tool: (typeof publicToolEntries)[number]): CSSProperties | undefined =>
  tool === publicToolEntries.at(-1) ? wholeRow : undefined
