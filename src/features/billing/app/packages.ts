import { apiQuery } from '#client/query.ts'
import type { PackageList } from '../schemas.ts'

/** Stored on the device, so that prices show offline. */
export const packagesQuery = apiQuery<PackageList>(['packages'], '/api/packages', { meta: { persist: true } })
