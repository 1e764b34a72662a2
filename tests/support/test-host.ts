import type { EngineHost } from '#engine/host.ts'
import { createDetectionCache } from '#engine/node/detection-cache.ts'
import { createNodeHost } from '#engine/node/host.ts'

/** Shared by all hosts of the process, as by the threads of a pool. */
const cache = createDetectionCache()

/** For tests that call tasks directly. */
export const testHost = (): EngineHost => createNodeHost(new AbortController().signal, () => {}, { cache })
