import type { Context } from 'hono'
import type { AccountDeps } from '#server/account-hooks.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { type CallbackError, callbackErrors, type Provider } from '../../rules.ts'
import { providerQuery, type SignInMethods, signInMethodsSchema } from '../../schemas.ts'
import { hasPasskeys } from '../passkeys/passkeys.ts'
import { providerRules } from '../rate-rules.ts'
import { confirmWithProvider, enterWithProvider } from './enter-with-provider.ts'
import { newFlow, type ProviderDriver, storeFlow, takeFlow } from './flow-cookie.ts'
import { facebookDriver, googleDriver } from './oauth-drivers.ts'

/** Opened in a window, so every outcome ends at the app's /auth/callback. */
export function providerRoutes(deps: AccountDeps) {
  const { google, facebook } = deps.config.signIn
  const configured: SignInMethods = {
    google: google !== undefined,
    facebook: facebook !== undefined,
    passkey: hasPasskeys(deps.config),
  }
  const ways = {
    google: providerSignIn(deps, 'google', google && googleDriver(google)),
    facebook: providerSignIn(deps, 'facebook', facebook && facebookDriver(facebook)),
  }
  return [
    route('listSignInMethods', 'GET /auth/providers', 'visitor', {
      summary: 'List configured sign-in methods',
      output: { 200: ['True for each configured method', signInMethodsSchema] },
      handler: () => configured,
    }),
    ...providerSignInRoutes('Google', ways.google),
    ...providerSignInRoutes('Facebook', ways.facebook),
  ]
}

function providerSignInRoutes(name: 'Google' | 'Facebook', { start, finish }: ReturnType<typeof providerSignIn>) {
  const path = `/login_${name.toLowerCase()}` as const
  return [
    route(`start${name}SignIn`, `GET ${path}`, 'visitor', {
      summary: 'Start signing in with a provider; open it in a popup',
      input: { query: providerQuery },
      output: { 302: 'Redirect to the provider' },
      errors: ['request.not_found'],
      handler: (c) => start(c, c.req.valid('query')),
    }),
    route(`finish${name}SignIn`, `GET ${path}/callback`, 'visitor', {
      summary: 'Receive the redirect from a sign-in provider',
      output: { 302: 'Redirect to /auth/callback' },
      errors: ['request.not_found'],
      handler: (c) => finish(c),
    }),
  ]
}

function providerSignIn(deps: AccountDeps, provider: Provider, driver: ProviderDriver | undefined) {
  const { config, clock, log } = deps
  const callbackPath = `/api/login_${provider}/callback`

  const end = (
    c: Context<AppEnv>,
    outcome: Partial<Record<'token' | 'confirmation' | 'error', string>>,
    state?: string,
  ) => {
    const url = new URL('/auth/callback', config.publicUrl)
    url.search = String(new URLSearchParams({ ...outcome, ...(state !== undefined && { state }) }))
    return c.redirect(url.href)
  }
  const fail = (c: Context<AppEnv>, error: unknown) => {
    const code = error instanceof AppError ? error.code : isDatabaseOutage(error) ? 'server.unavailable' : undefined
    const shown = callbackErrors.find((known) => known === code)
    // A provider's error may contain personal data.
    if (!shown || shown === 'auth.provider_failed') log.warn({ provider, problem: nameOf(error) }, 'sign-in failed')
    return end(c, { error: shown ?? ('auth.provider_failed' satisfies CallbackError) })
  }

  return {
    async start(c: Context<AppEnv>, { remember, purpose = 'login', state }: typeof providerQuery.infer) {
      if (!driver) throw appError('request.not_found')
      try {
        await limitRate(deps, providerRules(c.var.address))
        const flow = newFlow({ remember: remember === '1', purpose, openerState: state })
        const url = await driver.start(flow, new URL(callbackPath, config.publicUrl))
        await storeFlow(c, config, provider, flow, clock())
        return c.redirect(url.href)
      } catch (error) {
        return fail(c, error)
      }
    },
    async finish(c: Context<AppEnv>) {
      if (!driver) throw appError('request.not_found')
      try {
        const flow = await takeFlow(c, config, provider, clock())
        if (!flow) throw appError('auth.provider_failed')
        const callback = new URL(callbackPath, config.publicUrl)
        callback.search = new URL(c.req.url).search
        const person = await driver.finish(flow, callback)
        if (flow.purpose === 'confirm') {
          return end(c, { confirmation: await confirmWithProvider(deps, person) }, flow.openerState)
        }
        const token = await enterWithProvider(deps, person, {
          remember: flow.remember,
          language: c.var.language,
          address: c.var.address,
        })
        return end(c, { token }, flow.openerState)
      } catch (error) {
        return fail(c, error)
      }
    },
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}
