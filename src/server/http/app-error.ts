import { type ErrorCode, errorStatus } from '#contract/errors.ts'

/** A failure that people are told about, by its code; everything else that is thrown becomes `server.error`. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** A field or parameter path and its message key, or its sentence. */
  readonly details: Record<string, string> | undefined
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, details?: Record<string, string>, options?: ErrorOptions & { retryAfter?: number }) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.details = details
    this.retryAfter = options?.retryAfter
  }

  get status(): (typeof errorStatus)[ErrorCode] {
    return errorStatus[this.code]
  }
}

/** Makes the error to throw for a code of the contract. */
export function appError(
  code: ErrorCode,
  details?: Record<string, string>,
  options?: ErrorOptions & { retryAfter?: number },
): AppError {
  return new AppError(code, details, options)
}
