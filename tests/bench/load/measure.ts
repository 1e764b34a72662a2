interface Route {
  milliseconds: number[]
  failures: Map<string, number>
}

export interface Measure {
  note(route: string, milliseconds: number, outcome: number | 'broken'): void
  total(): { requests: number; failed: number }
  /** The share `at` of the requests that were answered took at most so many milliseconds. */
  percentile(at: number, routes?: RegExp): number
  table(): string
}

/** Temporary refusals. */
export const passes = (status: number) => status >= 500 || [408, 425, 429].includes(status)

/** A refusal with a reason is an answer. */
const isFailure = (outcome: number | 'broken') => outcome === 'broken' || passes(outcome)

export function createMeasure(): Measure {
  const routes = new Map<string, Route>()
  return {
    note(route, milliseconds, outcome) {
      const known: Route = routes.get(route) ?? { milliseconds: [], failures: new Map() }
      routes.set(route, known)
      if (isFailure(outcome)) known.failures.set(String(outcome), (known.failures.get(String(outcome)) ?? 0) + 1)
      else known.milliseconds.push(milliseconds)
    },
    total() {
      let [requests, failed] = [0, 0]
      for (const { milliseconds, failures } of routes.values()) {
        const its = [...failures.values()].reduce((sum, count) => sum + count, 0)
        requests += milliseconds.length + its
        failed += its
      }
      return { requests, failed }
    },
    percentile(at, wanted = /./) {
      const its = [...routes].filter(([name]) => wanted.test(name))
      return percentileOf(
        its.flatMap(([, { milliseconds }]) => milliseconds),
        at,
      )
    },
    table() {
      const lines = [...routes].sort().map(([name, { milliseconds, failures }]) => {
        const figures = [0.5, 0.95, 0.99].map((at) => percentileOf(milliseconds, at).toFixed(0).padStart(7))
        const failed = [...failures].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
        return `${name.padEnd(34)}${String(milliseconds.length).padStart(7)}${figures.join('')}  ${failed}`
      })
      const head = `${'route'.padEnd(34)}${['count', 'p50', 'p95', 'p99'].map((word) => word.padStart(7)).join('')}  failures`
      return [head, ...lines].join('\n')
    },
  }
}

function percentileOf(values: readonly number[], at: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0
}
