import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface MetricSource<Tools> {
  name: string
  help: string
  labels: readonly string[]
  read(tools: Tools): Promise<{ labels: Record<string, string>; value: number }[]>
}

export interface Metrics {
  add<Tools>(tools: Tools, sources: readonly MetricSource<Tools>[]): void
  /** `code` is the error code, or empty. */
  observeEngine(step: {
    tool: string
    step: string
    lane: string
    outcome: 'succeeded' | 'failed'
    code: string
    seconds: number
  }): void
  observeJob(job: { queue: string; outcome: 'succeeded' | 'failed'; seconds: number }): void
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void
  text(): Promise<{ contentType: string; body: string }>
}

/** A figure that takes longer, as in a database outage, is left out. */
const readTimeoutMilliseconds = 2000

async function soon<Value>(values: Promise<Value[]>): Promise<Value[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Value[]>((resolve) => {
    timer = setTimeout(resolve, readTimeoutMilliseconds, [])
  })
  try {
    return await Promise.race([values.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rupa_http_request_seconds',
    help: 'Requests by route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const engine = new Histogram({
    name: 'rupa_engine_seconds',
    help: 'Engine steps by tool, lane and outcome',
    labelNames: ['tool', 'step', 'lane', 'outcome', 'code'],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 100, 300],
    registers: [registry],
  })
  const jobs = new Histogram({
    name: 'rupa_job_seconds',
    help: 'Jobs by queue and outcome; emails are in queue send-mail',
    labelNames: ['queue', 'outcome'],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 100, 300],
    registers: [registry],
  })
  const add: Metrics['add'] = (tools, sources) => {
    for (const { name, help, labels, read } of sources) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          this.reset()
          // `reset` would set a metric without labels to 0, a value never read.
          if (labels.length === 0) this.remove()
          const values = await soon(read(tools))
          for (const { labels, value } of values) this.set(labels, value)
        },
      })
    }
  }
  return {
    add,
    observeEngine: ({ seconds, ...labels }) => engine.observe(labels, seconds),
    observeJob: ({ seconds, ...labels }) => jobs.observe(labels, seconds),
    observeRequest: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
