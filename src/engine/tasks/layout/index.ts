export { bestView, type CellView, visiblePart, zoomLimits } from './crop.ts'
export { cornerRadius, pageSize, paperSize, placeCells, printDpi } from './page.ts'
export { type LayoutCount, type LayoutTemplate, layoutCounts, layoutTemplates, templateFor } from './templates.ts'
