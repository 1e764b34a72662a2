import type { ReadConfig } from '#server/config.ts'
import { isLoopbackHost } from '#server/http/local-request.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    signIn: SignInConfig
  }
}

export interface SignInConfig {
  google: { issuer: URL; clientId: string; clientSecret: string } | undefined
  /** `dialogUrl` is the page of consent, `graphUrl` the API that the server calls. */
  facebook: { appId: string; appSecret: string; dialogUrl: URL; graphUrl: URL } | undefined
}

/** Secrets are sent over TLS only. */
export const readSignInConfig: ReadConfig<SignInConfig> = (read) => {
  const safe = (text: string): URL | undefined => {
    const url = URL.parse(text)
    if (!url || url.search || url.hash || url.username) return undefined
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)) ? url : undefined
  }
  const pair = (id: string, secret: string): [string, string] | undefined | { problem: string } => {
    const values = [read(id), read(secret)]
    if (values[0] && values[1]) return [values[0], values[1]]
    return values[0] || values[1] ? { problem: `${id} and ${secret} belong together; set both or neither` } : undefined
  }

  const client = pair('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
  if (client && 'problem' in client) return client
  const issuer = safe(read('GOOGLE_ISSUER') ?? 'https://accounts.google.com')
  if (!issuer) return { problem: 'GOOGLE_ISSUER must be an address that starts with https://' }

  const app = pair('FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET')
  if (app && 'problem' in app) return app
  const base = read('FACEBOOK_BASE_URL')
  const dialogUrl = safe(base ?? 'https://www.facebook.com')
  const graphUrl = safe(base ?? 'https://graph.facebook.com')
  if (!dialogUrl || !graphUrl) return { problem: 'FACEBOOK_BASE_URL must be an address that starts with https://' }

  return {
    config: {
      google: client && { issuer, clientId: client[0], clientSecret: client[1] },
      facebook: app && { appId: app[0], appSecret: app[1], dialogUrl, graphUrl },
    },
  }
}
