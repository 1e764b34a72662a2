import { localKeys, readStoredJson, storeJson } from '#client/storage.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'

type Params = Record<string, unknown>
export type OptionsOf = Pick<AnyToolPage['definition'], 'defaults' | 'pictureParams'>

const needsFile = (value: unknown) =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'image'

/** Drops unknown options, and those that need a missing file or belong to one picture. */
export function keptParams({ defaults, pictureParams = [] }: OptionsOf, params: Params): Params {
  const entries = Object.entries(params).filter(([name, value]) => {
    const known = defaults[name]
    return known !== undefined && typeof value === typeof known && !needsFile(value) && !pictureParams.includes(name)
  })
  return Object.fromEntries(entries)
}

const storageKey = (tool: string) => localKeys.toolOptions + tool

export const rememberParams = (tool: string, params: Params): void => storeJson(storageKey(tool), params)

export const rememberedParams = ({ definition }: AnyToolPage): Params => ({
  ...definition.defaults,
  ...keptParams(definition, readStoredJson(storageKey(definition.id)) ?? {}),
})
