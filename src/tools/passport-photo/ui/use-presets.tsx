import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { PassportPreset } from '../contract/definition.ts'
import { passportPresets } from '../contract/presets.ts'

const presetsQuery = queryOptions({
  queryKey: ['passport-presets'],
  queryFn: ({ signal }) => apiJson<{ items: PassportPreset[] }>('/api/passport_presets', { signal }),
  staleTime: 5 * 60_000,
  meta: { persist: true },
})

/** The built-in presets until those of the admins are loaded. */
export function usePresets(): readonly PassportPreset[] {
  return useQuery(presetsQuery).data?.items ?? passportPresets
}
