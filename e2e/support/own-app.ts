import { startAppServer } from './app-server.ts'
import type { RealServer } from './server.ts'
import { test as base } from './test.ts'

/** A test against its worker's own server: for changes of prices, tools or staff data. */
export const test = base.extend<object, { server: RealServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are needed
    async ({}, use) => {
      const server = await startAppServer()
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
})
