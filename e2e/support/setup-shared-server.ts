import { startAppServer } from './app-server.ts'
import { startFleetServer } from './fleet-server.ts'
import type { RunningServer } from './server.ts'

const variable = 'SHARED_SERVER'

/**
 * Loading the models and compiling the engine for each worker took a fifth of all browser test
 * time. With FLEET the server consists of many processes.
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const server = process.env.FLEET ? await startFleetServer() : await startAppServer()
  const { port, origin, dataDir } = server
  process.env[variable] = JSON.stringify({ port, origin, dataDir } satisfies RunningServer)
  return () => server.dispose()
}

/** The shared server as a worker sees it. */
export function sharedServer(): RunningServer {
  const address = process.env[variable]
  if (address === undefined) throw new Error('the shared server was not started')
  return JSON.parse(address)
}
