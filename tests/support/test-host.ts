import type { EngineHost } from '#engine/host.ts'
import { createNodeHost } from '#engine/node/host.ts'

/** For tests that call tasks directly. */
export const testHost = (): EngineHost => createNodeHost(new AbortController().signal, () => {})
