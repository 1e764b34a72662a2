/** Thrown without calling the gateway while the circuit is open. */
export class CircuitOpen extends Error {
  constructor() {
    super('the gateway is not asked for a while, because it keeps failing')
    this.name = 'CircuitOpen'
  }
}

interface Settings {
  /** Number of failures in a row that opens the circuit. */
  failures: number
  /** Milliseconds without calls after opening; then a single trial call is let through. */
  restMilliseconds: number
  /** False for a definite refusal. */
  isFailure(error: unknown): boolean
  now?: () => number
}

/** While the gateway is down, buyers do not wait for it; when it recovers, it is not flooded. */
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
    /** True from the failure that opened the circuit until a call succeeds. */
    isOpen: () => failed >= failures,
    /** As requested by the gateway. */
    rest(milliseconds: number): void {
      failed = Math.max(failed, failures)
      openUntil = now() + milliseconds
    },
  }
}
