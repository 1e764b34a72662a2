import { defineTool } from '#tools/contract/define.ts'
import type { ToolDefinition } from '#tools/contract/tool.ts'
import type { toolContracts } from '#tools/contracts.ts'
import { type EnginesOf, toolEngines } from '#tools/engines.ts'
import { type PagesOf, toolPages } from '#tools/pages.ts'
import { type ToolPage, toolPage } from '#tools/ui/page.ts'
import type { MaskState } from '#ui/mask-editor/strokes.ts'
import {
  type TwoPicturesInputs,
  type TwoPicturesParams,
  twoPictures,
  twoPicturesOptions,
} from './contract/definition.ts'
import { twoPicturesEngine } from './engine/engine.ts'
import { twoPicturesPage } from './ui/page.tsx'

/**
 * Proves by `npm run check` that the type check finds each missing part of a new tool: an expected
 * error that does not occur is an error itself. Never runs.
 */
const contract = defineTool(twoPictures, twoPicturesOptions)
type Contracts = typeof toolContracts & { 'two-pictures': typeof contract }

export const complete = {
  engines: { ...toolEngines, 'two-pictures': twoPicturesEngine } satisfies EnginesOf<Contracts>,
  pages: { ...toolPages, 'two-pictures': twoPicturesPage } satisfies PagesOf<Contracts>,
}

export const unregistered = {
  // @ts-expect-error no engine
  engines: toolEngines satisfies EnginesOf<Contracts>,
  // @ts-expect-error no page
  pages: toolPages satisfies PagesOf<Contracts>,
}

type Page = ToolPage<TwoPicturesParams, TwoPicturesInputs, MaskState>

export function incompletePages(
  whole: Page,
  withoutIcon: Omit<Page, 'icon'>,
  withoutLabels: Omit<Page, 'labels'>,
  withoutPanel: Omit<Page, 'panel'>,
) {
  return [
    toolPage(whole),
    // @ts-expect-error no icon
    toolPage(withoutIcon),
    // @ts-expect-error no texts
    toolPage(withoutLabels),
    // @ts-expect-error no panel
    toolPage(withoutPanel),
  ]
}

export function incompleteContract(withoutRoute: Omit<ToolDefinition<TwoPicturesParams, TwoPicturesInputs>, 'route'>) {
  // @ts-expect-error no route
  return [contract, defineTool(withoutRoute, twoPicturesOptions)]
}
