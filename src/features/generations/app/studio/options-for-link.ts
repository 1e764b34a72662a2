import { keptParams, type OptionsOf } from './kept-params.ts'

export function optionsForLink(tool: OptionsOf, params: Record<string, unknown>): string | null {
  const chosen = Object.entries(keptParams(tool, params)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tool.defaults[name]),
  )
  return chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen)) : null
}
