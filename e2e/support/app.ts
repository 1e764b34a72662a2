import { type RealServer, realServer } from './server.ts'
import { test as base } from './test.ts'

/** Whom the server makes its first admin. */
export const admin = { email: 'kepala@contoh.test', password: 'Kepala-123!' }

/** A test against a real server of its worker's own, at whose address relative paths are; `environment` is added to its variables. */
export const test = base.extend<object, { server: RealServer; environment: Record<string, string> }>({
  environment: [{}, { option: true, scope: 'worker' }],
  server: [
    async ({ environment }, use) => {
      const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ...environment }
      const server = await realServer({ env })
      await server.start()
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
})
