/** The gateway failed again and again; until it has rested it is not asked. */
export class CircuitOpen extends Error {
  constructor() {
    super('the gateway is not asked for a while, because it keeps failing')
    this.name = 'CircuitOpen'
  }
}

interface Settings {
  /** So many failures in a row open the circuit. */
  failures: number
  /** For so long no call is let through; then one call tries again. */
  restMilliseconds: number
  /** True for errors of a failing gateway; a clear refusal is none. */
  isFailure(error: unknown): boolean
  now?: () => number
}

/**
 * A circuit breaker: spares everybody the wait for a gateway that is down, and the gateway the
 * crowd when it comes back.
 */
export function createCircuitBreaker({
  failures,
  restMilliseconds,
  isFailure,
  now = () => performance.now(),
}: Settings) {
  let failed = 0
  let openUntil = 0
  let trying = false

  return {
    async run<Result>(action: () => Promise<Result>): Promise<Result> {
      const open = failed >= failures
      if (open && (trying || now() < openUntil)) throw new CircuitOpen()
      if (open) trying = true
      try {
        const result = await action()
        failed = 0
        return result
      } catch (error) {
        if (isFailure(error)) {
          failed += 1
          openUntil = now() + restMilliseconds
        } else {
          failed = 0
        }
        throw error
      } finally {
        if (open) trying = false
      }
    },
    /** True from the last of too many failures until a call succeeds. */
    isOpen: () => failed >= failures,
    /** Opens the circuit for so long: the gateway asked for it. */
    rest(milliseconds: number): void {
      failed = Math.max(failed, failures)
      openUntil = now() + milliseconds
    },
  }
}
