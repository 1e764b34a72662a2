import { type ErrorCode, errorStatus } from '#shared/errors.ts'

interface AppErrorOptions extends ErrorOptions {
  /** Message key or text by field or parameter path. */
  details?: Record<string, string>
  /** Seconds. */
  retryAfter?: number
}

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

export function appError(code: ErrorCode, options?: AppErrorOptions): AppError {
  return new AppError(code, options)
}
