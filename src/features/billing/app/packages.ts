import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { PackageList } from '../types.ts'

/** What is on sale; kept on the device, so that the prices show offline too. */
export const packagesQuery = queryOptions({
  queryKey: ['packages'],
  queryFn: ({ signal }) => apiJson<PackageList>('/api/packages', { signal }),
  meta: { persist: true },
})
