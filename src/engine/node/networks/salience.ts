import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { createNetworkProcess, type NetworkProcess, NetworkStalled } from './network-process.ts'

export type SalienceNetwork = NetworkProcess<Picture, Matte>

/** Milliseconds for one square including the start of the process, with a large margin. */
const timeLimit = 30_000
/** Milliseconds; the same as for idle engine threads. */
const idleLimit = 60_000

export function createSalienceNetwork(): SalienceNetwork {
  return createNetworkProcess(new URL('./salience-worker.ts', import.meta.url), { timeLimit, idleLimit })
}

export const failureCode = (error: unknown): EngineError['code'] =>
  error instanceof NetworkStalled ? 'engine.timeout' : 'engine.crashed'

let defaultNetwork: SalienceNetwork | undefined

/** Default for hosts without a pool's shared network. */
export const findSalience: EngineHost['salience'] = async (square) => {
  defaultNetwork ??= createSalienceNetwork()
  return defaultNetwork.run(square).catch((cause) => {
    throw new EngineError(failureCode(cause), { cause })
  })
}
