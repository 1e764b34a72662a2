import { type RealServer, realServer } from './server.ts'

/** The server's first admin. */
export const admin = { email: 'kepala@contoh.test', password: 'Kepala-123!' }

/** Token that authenticates the gateway's webhooks; the gateway itself is never called. */
export const callbackToken = 'token-of-the-gateway'

/** With every payment method and a known admin. */
export const appEnvironment = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  PAYMENTS: 'manual,simulator,xendit',
  MANUAL_ACCOUNTS: 'bsi:7123 456 789:PT Rupa Contoh',
  SUPPORT_EMAIL: 'bantuan@contoh.test',
  XENDIT_SECRET_KEY: 'xnd_development_unused',
  XENDIT_CALLBACK_TOKEN: callbackToken,
  XENDIT_BASE_URL: 'http://127.0.0.1:9',
  PUSH_SERVICES: '127.0.0.1',
}

/** A running server with an admin and every payment method. */
export async function startAppServer(): Promise<RealServer> {
  const server = await realServer({ env: appEnvironment })
  await server.start()
  return server
}
