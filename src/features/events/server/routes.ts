import { requireUser } from '#server/auth/require-user.ts'
import { isSessionAlive } from '#server/auth/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import type { Notification } from '#server/notify.ts'
import type { EventName } from '../types.ts'
import type { Change, EventDeps, EventListener, EventSource, EventSources } from './events.ts'

type Positions = Partial<Record<EventName, number>>

/** Event id, such as `generation:17,order:4`. */
function formatPositions(positions: Positions): string {
  return Object.entries(positions)
    .map(([name, position]) => `${name}:${position}`)
    .join(',')
}

/** Empty for an invalid Last-Event-ID. */
export function parsePositions(text: string | undefined): Positions {
  if (!text || !/^[a-z]{1,40}:\d{1,15}(,[a-z]{1,40}:\d{1,15}){0,20}$/.test(text)) return {}
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name, position] = part.split(':')
      return [name, Number(position)]
    }),
  )
}

/** Devices treat a connection as dead after 45 s of silence. */
const heartbeatMilliseconds = 12_000

/** Sends changes since the last received event, then new ones. */
class EventStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #deps: EventDeps
  readonly #sources: [EventName, EventSource<unknown>][]
  readonly #listener: EventListener
  readonly #onEnd: () => void
  readonly #changed = new Map<EventName, Set<string>>()
  readonly #heartbeatTimer: NodeJS.Timeout
  #positions: Positions
  #startDue = true
  #sessionCheckDue = false
  #heartbeatDue = false
  #ended = false
  #cancelled = false
  #wake = () => {}

  constructor(
    deps: EventDeps,
    sources: EventSources,
    { resumeFrom, ...listener }: EventListener & { resumeFrom: Positions },
    onEnd: () => void,
  ) {
    this.#deps = deps
    this.#sources = Object.entries(sources) as [EventName, EventSource<unknown>][]
    this.#listener = listener
    this.#positions = resumeFrom
    this.#onEnd = onEnd
    this.#heartbeatTimer = setInterval(() => {
      this.#heartbeatDue = true
      this.#sessionCheckDue = true
      this.#wake()
    }, heartbeatMilliseconds)
    this.#heartbeatTimer.unref()
    const encoder = new TextEncoder()
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const text = await this.#next().catch((error: unknown) => {
            deps.log.error({ err: error }, 'event stream failed')
            this.end()
            return undefined
          })
          // The listener may have left during the database query.
          if (this.#cancelled) return
          if (text === undefined) controller.close()
          else controller.enqueue(encoder.encode(text))
        },
        cancel: () => {
          this.#cancelled = true
          this.end()
        },
      },
      { highWaterMark: 1 },
    )
  }

  receive(notification: Notification): void {
    if (notification.kind === 'session_revoked') this.#sessionCheckDue = true
    if (notification.kind === 'resync') {
      this.#startDue = true
      this.#sessionCheckDue = true
    }
    for (const [name, source] of this.#sources) {
      const id = source.concerns(notification)
      if (id === undefined) continue
      const ids = this.#changed.get(name) ?? new Set()
      this.#changed.set(name, ids.add(id))
    }
    if (this.#isWorkDue()) this.#wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#heartbeatTimer)
    this.#onEnd()
    this.#wake()
  }

  /** Undefined at the end. Several changes of a thing meanwhile are sent once. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      if (this.#ended) return undefined
      if (this.#sessionCheckDue) {
        this.#sessionCheckDue = false
        if (!(await isSessionAlive(this.#deps, this.#listener.sessionId))) {
          this.end()
          return undefined
        }
      }
      const text = await this.#collect()
      if (text !== '') return text
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        if (this.#ended || this.#heartbeatDue || this.#isWorkDue()) resolve()
      })
    }
  }

  #isWorkDue(): boolean {
    return this.#startDue || this.#sessionCheckDue || this.#changed.size > 0
  }

  async #collect(): Promise<string> {
    const starts = this.#startDue
    this.#startDue = false
    let text = ''
    for (const [name, source] of this.#sources) {
      const ids = this.#changed.get(name)
      this.#changed.delete(name)
      if (starts) {
        const { changes, position } = await source.start(this.#deps, this.#listener, this.#positions[name])
        text += this.#format(name, changes)
        // Recorded so that events of other kinds carry the position too.
        if (position !== undefined) this.#advance(name, position)
      }
      if (ids) {
        text += this.#format(name, await source.read(this.#deps, this.#listener, [...ids]))
      }
    }
    if (text === '' && this.#heartbeatDue) text = ': \n\n'
    this.#heartbeatDue = false
    return text
  }

  #format(name: EventName, changes: Change<unknown>[]): string {
    return changes
      .map(({ data, position }) => {
        if (position !== undefined) this.#advance(name, position)
        return `event: ${name}\nid: ${formatPositions(this.#positions)}\ndata: ${JSON.stringify(data)}\n\n`
      })
      .join('')
  }

  #advance(name: EventName, position: number): void {
    this.#positions = { ...this.#positions, [name]: Math.max(position, this.#positions[name] ?? 0) }
  }
}

/** Further connections end the user's oldest, which on a phone is most likely dead. */
const maxStreams = 10

function createEventHub(deps: EventDeps & Pick<Deps, 'notifier'>, sources: EventSources) {
  const streams = new Map<string, Set<EventStream>>()
  deps.notifier.subscribe((notification) => {
    const concerned =
      notification.kind === 'resync'
        ? [...streams.values()]
        : 'userId' in notification
          ? [streams.get(notification.userId) ?? []]
          : []
    for (const group of concerned) for (const stream of group) stream.receive(notification)
  })

  return {
    open(listener: EventListener & { resumeFrom: Positions }): ReadableStream<Uint8Array> {
      const { userId } = listener
      const mine = streams.get(userId) ?? new Set<EventStream>()
      streams.set(userId, mine)
      const stream: EventStream = new EventStream(deps, sources, listener, () => {
        mine.delete(stream)
        if (mine.size === 0 && streams.get(userId) === mine) streams.delete(userId)
      })
      mine.add(stream)
      if (mine.size > maxStreams) [...mine][0]?.end()
      return stream.body
    },
  }
}

export function eventRoutes(deps: Deps, sources: EventSources) {
  const hub = createEventHub(deps, sources)
  const names = Object.keys(sources).map((name) => `\`${name}\``)
  return [
    route('streamEvents', 'GET /events', requireUser(deps), {
      summary: `Stream changes as server-sent events ${names.join(', ')}; resumes after Last-Event-ID`,
      output: {
        200: { description: 'The event stream, open until the session ends', content: { 'text/event-stream': {} } },
      },
      handler: (c) => {
        const body = hub.open({
          userId: c.var.user.id,
          sessionId: c.var.sessionId,
          language: c.var.language,
          resumeFrom: parsePositions(c.req.header('last-event-id')),
        })
        return c.body(body, 200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
      },
    }),
  ]
}
