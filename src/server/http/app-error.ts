import { type ErrorCode, errorStatus } from '#contract/errors.ts'

export interface AppErrorOptions extends ErrorOptions {
  /** A field or parameter path and its message key, or its sentence. */
  details?: Record<string, string>
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/**
 * A failure that is shown to people, by its code; everything else that is thrown becomes
 * `server.error`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options?: AppErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.details = options?.details
    this.retryAfter = options?.retryAfter
  }

  get status(): (typeof errorStatus)[ErrorCode] {
    return errorStatus[this.code]
  }
}

/** Makes the error to throw for a code of the contract. */
export function appError(code: ErrorCode, options?: AppErrorOptions): AppError {
  return new AppError(code, options)
}
