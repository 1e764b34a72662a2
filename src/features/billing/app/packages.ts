import { apiQuery } from '#client/query.ts'
import type { PackageList } from '../types.ts'

/** What is on sale; kept on the device, so that the prices show offline too. */
export const packagesQuery = apiQuery<PackageList>(['packages'], '/api/packages', { meta: { persist: true } })
