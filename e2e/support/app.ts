import type { RunningServer } from './server.ts'
import { sharedServer } from './setup-shared-server.ts'
import { test as base } from './test.ts'

/** A test against the shared server, with its own accounts; it must not change what others see. */
export const test = base.extend<object, { server: RunningServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are needed
  server: [async ({}, use) => use(sharedServer()), { scope: 'worker' }],
  baseURL: async ({ server }, use) => use(server.origin),
})
