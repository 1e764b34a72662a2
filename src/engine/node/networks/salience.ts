import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { createNetworkProcess, type NetworkProcess, NetworkStalled } from './network-process.ts'

export type SalienceNetwork = NetworkProcess<Picture, Matte>

/** Milliseconds for one square and the start of the process: far more than both take. */
const timeLimit = 30_000
/** As long as the engine's threads stay without work. */
const idleLimit = 60_000

/** The network that finds what stands out, in a process of its own. */
export function createSalienceNetwork(): SalienceNetwork {
  return createNetworkProcess(new URL('./salience-worker.ts', import.meta.url), { timeLimit, idleLimit })
}

/** The engine's code for a failure of the network. */
export const failureCode = (error: unknown): EngineError['code'] =>
  error instanceof NetworkStalled ? 'engine.timeout' : 'engine.crashed'

let own: SalienceNetwork | undefined

/** For a host that no pool has given one. */
export const findSalience: EngineHost['salience'] = async (square) => {
  own ??= createSalienceNetwork()
  return own.run(square).catch((cause) => {
    throw new EngineError(failureCode(cause), { cause })
  })
}
