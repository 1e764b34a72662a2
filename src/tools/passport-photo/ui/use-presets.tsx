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

/** Presets as maintained by admins; the built-in ones until they are loaded. */
export function usePresets(): readonly PassportPreset[] {
  return useQuery(presetsQuery).data?.items ?? passportPresets
}
