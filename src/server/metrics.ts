import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * A number that is read from the database whenever somebody asks; its labels tell the values apart.
 */
export interface MetricSource<Tools> {
  name: string
  help: string
  labels: readonly string[]
  read(tools: Tools): Promise<{ labels: Record<string, string>; value: number }[]>
}

/**
 * What an operator's Prometheus reads: this process, its requests, and what features say of the
 * whole service.
 */
export interface Metrics {
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void
  /** The text format of Prometheus, and its content type. */
  text(): Promise<{ contentType: string; body: string }>
}

export function createMetrics<Tools>(tools: Tools, sources: readonly MetricSource<Tools>[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rupa_http_request_seconds',
    help: 'Requests by route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  for (const { name, help, labels, read } of sources) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const values = await read(tools)
        this.reset()
        for (const { labels, value } of values) this.set(labels, value)
      },
    })
  }
  return {
    observeRequest: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
