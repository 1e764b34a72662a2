import type { Language } from '#contract/language.ts'
import type { Duty, Role } from '#contract/roles.ts'

/** Variables that every handler finds in `c.var`. */
export interface AppEnv {
  Variables: {
    /** Negotiated from Accept-Language. */
    language: Language
    /** IP address of the client. */
    address: string
    /** True if the request comes from this machine, through no proxy. */
    local: boolean
    /** Shown in the log, in the header X-Request-Id and on error screens. */
    requestId: string
    /** Page or file of the app that was sent, for the log; a page by its pattern. */
    page?: string
  }
}

/** Variables behind `requireUser`, in addition to those of every handler. */
export interface UserEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    /** Current data of the user from the database, which may differ from the token. */
    user: { id: string; name: string; email: string; role: Role; duty: Duty | null }
    sessionId: string
  }
}
