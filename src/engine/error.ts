import type { ErrorCode } from '#shared/errors.ts'

/**
 * An engine failure with an error code for the user; any other exception counts as `engine.failed`.
 */
export class EngineError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.name = 'EngineError'
    this.code = code
  }
}
