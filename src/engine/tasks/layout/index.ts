export { type CellView, defaultCellView, visiblePart } from './crop.ts'
export { cornerRadius, type PageShape, pageSize, paperSize, placeCells, printDpi, zoomLimits } from './page.ts'
export { type LayoutCount, type LayoutTemplate, layoutCounts, layoutTemplates, templateFor } from './templates.ts'
