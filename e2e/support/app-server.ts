import { type RealServer, realServer } from './server.ts'

export const admin = { email: 'kepala@contoh.test', password: 'Kepala-123!' }

/** Authenticates the gateway's webhooks. */
export const callbackToken = 'token-of-the-gateway'

/** With every payment method. */
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

export async function startAppServer(): Promise<RealServer> {
  const server = await realServer({ env: appEnvironment })
  await server.start()
  return server
}
