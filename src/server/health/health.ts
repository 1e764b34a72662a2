import type { Logger } from 'pino'
import type { HealthName } from '#shared/health.ts'
import type { MetricSource } from '../metrics.ts'

/** A figure to watch, and the value from which on the operator has to act. */
export interface HealthCheck<Tools> {
  name: HealthName
  metric: string
  help: string
  /** Undefined if the check does not apply. */
  read(tools: Tools): Promise<number | undefined>
  isProblem(value: number): boolean
  says(value: number): string
}

interface HealthItem {
  name: HealthName
  /** Undefined when it could not be read. */
  value: number | undefined
  text: string
  problem: boolean
}

/** An unreadable figure is a problem of its own and does not affect the others. */
export type ReadHealth = () => Promise<HealthItem[]>

export function healthReader<Tools>(tools: Tools, checks: readonly HealthCheck<Tools>[], log: Logger): ReadHealth {
  return async () => {
    const items = checks.map(async ({ name, read, isProblem, says }): Promise<HealthItem[]> => {
      try {
        const value = await read(tools)
        return value === undefined ? [] : [{ name, value, text: says(value), problem: isProblem(value) }]
      } catch (error) {
        log.error({ err: error, check: name }, 'a health check failed')
        return [{ name, value: undefined, text: 'unknown', problem: true }]
      }
    })
    return (await Promise.all(items)).flat()
  }
}

export function healthMetrics<Tools>(checks: readonly HealthCheck<Tools>[]): MetricSource<Tools>[] {
  return checks.map(({ metric, help, read }) => ({
    name: metric,
    help,
    labels: [],
    async read(tools) {
      const value = await read(tools)
      return value === undefined ? [] : [{ labels: {}, value }]
    },
  }))
}
