import type { ErrorCode } from '#contract/errors.ts'

/**
 * A failure of the engine with the code people are told; any other exception counts as
 * `engine.failed`.
 */
export class EngineError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.name = 'EngineError'
    this.code = code
  }
}
