import type { Language } from '#shared/language.ts'
import type { Duty, Role } from '#shared/roles.ts'

export interface AppEnv {
  Variables: {
    language: Language
    address: string
    /** The request comes from this machine, through no proxy. */
    local: boolean
    /** Also in X-Request-Id and on error screens. */
    requestId: string
    /** The page's pattern, or the file of the app, for the log. */
    page?: string
  }
}

export interface UserEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    /** From the database; may differ from the token. */
    user: { id: string; name: string; email: string; role: Role; duty: Duty | null }
    /** The key's id in calls with an API key. */
    sessionId: string
    /** Set in calls with an API key. */
    apiKey?: { id: string; test: boolean }
    /** Set for routes that declare it. */
    idempotencyKey: string
  }
}
