import { isSessionAlive } from '#server/auth/session-alive.ts'
import type { Notification } from '#server/notify.ts'
import type { EventName } from '../types.ts'
import type { Change, EventDeps, EventListener, EventSource, EventSources } from './events.ts'
import { formatPositions, type Positions } from './positions.ts'

/** Devices treat a connection as dead after 45 s of silence. */
const heartbeatMilliseconds = 12_000

/** Sends changes since the last received event, then new ones. */
export class EventStream {
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
