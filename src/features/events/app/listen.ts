import { createParser } from 'eventsource-parser'
import { ApiError, apiFetch } from '#client/api.ts'
import { checkConnection } from '#client/connection.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { store, tokenAtom } from '#client/session.ts'
import type { EventName, ServerEvents } from '../types.ts'

/** Milliseconds: doubles from one second to half a minute, with jitter. */
export function reconnectDelay(attempt: number, random = Math.random): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.75 + random() / 2)
}

/** Milliseconds that a hidden page keeps its connection, so that a short switch costs nothing. */
const hiddenGrace = 60_000
/** The server sends a comment at least every 15 s; a longer pause means a dead connection. */
const maxIdle = 45_000

type EventHandlers = { [Name in EventName]: (data: ServerEvents[Name]) => void }

interface ListenOptions {
  handlers: EventHandlers
  onConnection: (connected: boolean) => void
  /** Called when missed events will not be sent again. */
  onGap: () => void
}

/** Keeps a connection per tab, resumed after breaks, closed while hidden; returns its stop. */
export function listenToEvents({ handlers, onConnection, onGap }: ListenOptions): () => void {
  let connection: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let lastId: string | null = null

  function close() {
    clearTimeout(timer)
    connection?.abort()
    connection = undefined
    onConnection(false)
  }

  function connect() {
    clearTimeout(timer)
    if (connection || store.get(tokenAtom) === null) return
    const own = new AbortController()
    connection = own
    read(own)
      .catch((error: unknown) => error)
      .then((error) => {
        if (connection !== own) return
        close()
        // Signed out: the next token opens the next connection.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return
        if (error instanceof NetworkError) checkConnection()
        timer = setTimeout(connect, reconnectDelay(attempt++))
      })
  }

  async function read(own: AbortController) {
    const headers = new Headers({ accept: 'text/event-stream' })
    if (lastId !== null) headers.set('last-event-id', lastId)
    const response = await apiFetch('/api/events', { headers, signal: own.signal, cache: 'no-store' })
    if (!response.body) return
    onConnection(true)
    // Without a last position, events before the connection are missed as well.
    if (lastId === null) onGap()
    attempt = 0
    const parser = createParser({
      onEvent({ event, data, id }) {
        if (own.signal.aborted) return
        lastId = id ?? lastId
        if (event !== undefined && event in handlers) receive(event as EventName, data)
      },
    })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const watchdog = setTimeout(() => own.abort(), maxIdle)
      const { done, value } = await reader.read().finally(() => clearTimeout(watchdog))
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  function receive<Name extends EventName>(name: Name, data: string) {
    handlers[name](JSON.parse(data) as ServerEvents[Name])
  }

  const onVisibility = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') connect()
    else timer = setTimeout(close, hiddenGrace)
  }
  const onOnline = () => {
    attempt = 0
    close()
    connect()
  }
  const onToken = store.sub(tokenAtom, () => {
    close()
    lastId = null
    attempt = 0
    connect()
  })
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)
  window.addEventListener('offline', close)
  connect()

  return () => {
    onToken()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('offline', close)
    close()
  }
}
