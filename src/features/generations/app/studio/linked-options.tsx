import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { apiJson } from '#client/api.ts'
import { inAppAtom } from '#features/installed-app/app/installed-app.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { keptParams, type OptionsOf } from './kept-params.ts'
import type { StudioProps } from './use-studio.ts'

type Definition = AnyToolPage['definition']
type Params = Record<string, unknown>

async function readOptions(definition: Definition, text: string): Promise<Params | null> {
  try {
    const json: unknown = JSON.parse(text)
    return keptParams(definition, await apiJson<Params>(`/api/tools/${definition.id}/params`, { json }))
  } catch {
    return null
  }
}

/**
 * Applies options of the tool's address once. An in-app browser loses pictures, so there the
 * address always reflects the options.
 */
export function LinkedOptions({ page: { definition }, state, dispatch }: StudioProps) {
  const { t } = useLingui()
  const [search, setSearch] = useSearchParams()
  const inApp = useAtomValue(inAppAtom) !== null
  const [given, setGiven] = useState(() => search.get('options'))
  const take = useEffectEvent(async (text: string) => {
    const options = await readOptions(definition, text)
    setGiven(null)
    if (!options) return
    dispatch({ type: 'changed', settings: ({ params }) => ({ params: { ...params, ...options } }) })
    if (!inApp) showSnackbar('info', t`Pilihanmu ikut terbawa. Fotonya pilih lagi, ya.`)
  })
  useEffect(() => {
    if (given !== null) void take(given)
  }, [given])

  const wanted = inApp ? optionsForLink(definition, state.params) : null
  const write = useEffectEvent(() => {
    if (search.get('options') === wanted) return
    const others = [...search].filter(([name]) => name !== 'options')
    setSearch(wanted === null ? others : [...others, ['options', wanted]], { replace: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address or the options change
  useEffect(() => {
    if (given === null) write()
  }, [given, wanted])
  return null
}

export function optionsForLink(tool: OptionsOf, params: Record<string, unknown>): string | null {
  const chosen = Object.entries(keptParams(tool, params)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tool.defaults[name]),
  )
  return chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen)) : null
}
