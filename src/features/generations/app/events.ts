import type { QueryClient } from '@tanstack/react-query'
import { ApiError, apiFetch, NetworkError } from '#app/api.ts'
import { balanceQuery } from '#app/balance.ts'
import { noteSilence } from '#app/offline/connection.ts'
import { onUploadSent } from '#app/offline/uploads.ts'
import { store, tokenAtom } from '#app/session.ts'
import type { GenerationView, ServerEvents } from '../contract.ts'
import { createEventParser, reconnectDelay } from './event-stream.ts'
import { refreshGenerations, rememberGeneration, setEventsArrive } from './queries.ts'
import { isWatched } from './watched.ts'

/** A hidden page keeps listening this long, so that a short look elsewhere costs nothing. */
const hiddenGrace = 60_000
/** The server sends a comment at least every 15 s; a longer silence means that the connection is dead. */
const longestSilence = 45_000

interface EventsOptions {
  client: QueryClient
  /** The balance after a charge, a refund or a purchase. */
  onCredits: (credits: ServerEvents['credits']) => void
  /** A generation came to its end that nobody was looking at. */
  onFinished?: (generation: GenerationView) => void
}

/**
 * Listens to the server for whoever is signed in: one connection a tab, resumed where it broke, closed while nobody looks.
 * Answers how to stop.
 */
export function listenToEvents(options: EventsOptions): () => void {
  let connection: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let lastId: string | null = null

  function close() {
    clearTimeout(timer)
    connection?.abort()
    connection = undefined
    setEventsArrive(false)
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
        // Signed out by the server: the next token opens the next connection.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return
        if (error instanceof NetworkError) noteSilence()
        timer = setTimeout(connect, reconnectDelay(attempt++))
      })
  }

  async function read(own: AbortController) {
    const headers = new Headers({ accept: 'text/event-stream' })
    if (lastId !== null) headers.set('last-event-id', lastId)
    const response = await apiFetch('/api/events', { headers, signal: own.signal, cache: 'no-store' })
    if (!response.body) return
    setEventsArrive(true)
    // What happened while nobody listened is only told to those who say where they stopped.
    if (lastId === null && attempt > 0) void refreshGenerations(options.client)
    attempt = 0
    const parse = createEventParser(({ event, data, id }) => {
      if (own.signal.aborted) return
      lastId = id ?? lastId
      receive(event, data)
    })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const watchdog = setTimeout(() => own.abort(), longestSilence)
      const { done, value } = await reader.read().finally(() => clearTimeout(watchdog))
      if (done) return
      parse(decoder.decode(value, { stream: true }))
    }
  }

  function receive(event: string, data: string) {
    if (event === 'generation') {
      const generation = JSON.parse(data) as ServerEvents['generation']
      rememberGeneration(options.client, generation)
      if (generation.finishedAt !== null && !isWatched(generation.id)) options.onFinished?.(generation)
    } else if (event === 'credits') {
      options.onCredits(JSON.parse(data) as ServerEvents['credits'])
    }
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
  // The response to an upload may arrive before its event; where no events arrive it is the only update.
  const onSent = onUploadSent(({ generation }) => {
    if (!generation) return
    const { balance, ...view } = generation
    rememberGeneration(options.client, view)
    options.client.setQueryData(balanceQuery.queryKey, (known) => known && { ...known, credits: balance })
    void options.client.invalidateQueries({ queryKey: balanceQuery.queryKey })
  })
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)
  window.addEventListener('offline', close)
  connect()

  return () => {
    onToken()
    onSent()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('offline', close)
    close()
  }
}
