import { type Attributes, context, propagation, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { version } from './version.ts'

/** Joins a job to the trace of the request that sent it. */
export type TraceCarrier = Record<string, string>

const tracer = () => trace.getTracer('rupa', version)

/**
 * Exports to an OpenTelemetry collector (OTLP over HTTP); resolves to a flush function. Without
 * tracing the SDK is not loaded.
 */
export async function startTracing(endpoint: string, role: string): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, core, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `rupa-${role}`, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    await provider.shutdown()
    trace.disable()
    context.disable()
    propagation.disable()
  }
}

/** Marks a failure without its message. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      const { code, name: type } = error as { code?: unknown; name?: string }
      span.setAttribute('error.type', typeof code === 'string' ? code : (type ?? 'unknown'))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

export function traceCarrier(): TraceCarrier | undefined {
  const carrier: TraceCarrier = {}
  propagation.inject(context.active(), carrier)
  return Object.keys(carrier).length > 0 ? carrier : undefined
}

export function inTraceOf<Result>(carrier: TraceCarrier | undefined, work: () => Promise<Result>): Promise<Result> {
  return carrier ? context.with(propagation.extract(context.active(), carrier), work) : work()
}
