import type { AnyToolPage } from '#tools/ui/page.ts'

type Params = Record<string, unknown>
type Definition = Pick<AnyToolPage['definition'], 'defaults' | 'pictureParams'>

const needsFile = (value: unknown) =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'image'

/**
 * Of options that were kept, those that the tool still knows; never what needs a file that is gone,
 * nor what says something of one picture.
 */
export function keptParams({ defaults, pictureParams = [] }: Definition, params: Params): Params {
  const entries = Object.entries(params).filter(([name, value]) => {
    const known = defaults[name]
    return known !== undefined && typeof value === typeof known && !needsFile(value) && !pictureParams.includes(name)
  })
  return Object.fromEntries(entries)
}

/** What of the options somebody chose, for an address; null for nothing. */
export function optionsForLink(tool: Definition, params: Params): string | null {
  const chosen = Object.entries(keptParams(tool, params)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tool.defaults[name]),
  )
  return chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen)) : null
}
