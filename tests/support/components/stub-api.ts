import type { ApiErrorBody, ErrorCode } from '#shared/errors.ts'
import { recordUnexpectedOutput } from '../quiet.ts'
import { FetchingXhr } from './fetching-xhr.ts'

/** A request of the app to its API. */
export interface ApiCall {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: Headers
  /** Sent JSON, text, form or bytes. */
  body: unknown
}

type Answer = unknown
/** A body, a whole response, or what gives one for a call. */
export type Route = Answer | ((call: ApiCall) => Answer | Promise<Answer>)
/** By method and path, such as `GET /api/orders/*`; `*` is one part of the path. */
export type Routes = Record<string, Route>

/** An error response as the server words it. */
export function refusal(status: number, code: ErrorCode, msg: string, details: Record<string, string> = {}): Response {
  return Response.json({ code, msg, details } satisfies ApiErrorBody, { status })
}

export interface StubbedApi {
  /** Calls since the start or the last `clear`, in order. */
  calls: ApiCall[]
  /** Calls by method and path, such as `POST /api/orders`. */
  callsTo(route: string): ApiCall[]
  /** Changes or adds routes. */
  serve(routes: Routes): void
  /** False: every call fails as without a connection. */
  setReachable(reachable: boolean): void
  /** Sends a server event to the open page. */
  emit(name: string, data: unknown): void
  /** Stops answering. */
  close(): void
}

const realFetch = window.fetch.bind(window)
/** Answers of the open app; null between tests, when what still asks is not answered. */
let answering: ((request: Request, url: URL) => Promise<Response>) | null = null

Object.assign(window, { XMLHttpRequest: FetchingXhr })
window.fetch = async (input, init) => {
  const request = new Request(input instanceof Request ? input : new URL(input, location.origin), init)
  const url = new URL(request.url)
  const isOurs = url.origin === location.origin && (url.pathname.startsWith('/api/') || url.pathname === '/healthz')
  if (!isOurs) return realFetch(input, init)
  request.signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(request.signal.reason)
    request.signal.addEventListener('abort', stop)
  })
  return Promise.race([answering?.(request, url) ?? aborted, aborted])
}

const patternOf = (route: string) => {
  const [method, path = ''] = route.split(' ')
  const parts = path.split('*').map((part) => part.replace(/[.?+^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${method} ${parts.join('[^/]+')}$`)
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  if (type.includes('json')) return request.json()
  if (type.includes('multipart/form-data')) return request.formData()
  return request.blob()
}

/**
 * Answers the app's calls of its API at `fetch` by the given routes: an exact one, else the last
 * that fits. A call without a route fails the test.
 */
export function stubApi(given: Routes): StubbedApi {
  const routes: Routes = { ...given }
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const waiting: string[] = []
  const calls: ApiCall[] = []
  let reachable = true

  const openEvents = (signal: AbortSignal) => {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.add(controller)
        signal.addEventListener('abort', () => streams.delete(controller))
        controller.enqueue(encoder.encode(': hello\n\n'))
        for (const event of waiting.splice(0)) controller.enqueue(encoder.encode(event))
      },
      cancel: () => streams.clear(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  async function answer(request: Request, url: URL): Promise<Response> {
    if (!reachable) throw new TypeError('Failed to fetch')
    if (url.pathname === '/healthz') return new Response('ok')
    const call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request.clone()),
    }
    calls.push(call)
    const name = `${call.method} ${call.path}`
    const found = name in routes ? name : Object.keys(routes).findLast((route) => patternOf(route).test(name))
    if (found === undefined) {
      if (name === 'GET /api/events') return openEvents(request.signal)
      recordUnexpectedOutput(`no answer for ${name}`)
      return refusal(404, 'not_found' as ErrorCode, `no answer for ${name}`)
    }
    const route = routes[found]
    const body = typeof route === 'function' ? await route(call) : route
    // The connection may have gone meanwhile.
    if (!reachable) throw new TypeError('Failed to fetch')
    if (body instanceof Response) return body.clone()
    return body === undefined ? new Response(null, { status: 204 }) : Response.json(body)
  }

  answering = answer
  return {
    calls,
    callsTo: (route) => calls.filter(({ method, path }) => patternOf(route).test(`${method} ${path}`)),
    serve: (more) => void Object.assign(routes, more),
    setReachable: (now) => {
      reachable = now
    },
    emit(name, data) {
      const event = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
      if (streams.size === 0) waiting.push(event)
      for (const stream of streams) stream.enqueue(new TextEncoder().encode(event))
    },
    close: () => {
      answering = null
    },
  }
}
