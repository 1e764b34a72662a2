import { and, asc, desc, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import { sessions, users } from '#features/account/server/table.ts'
import { credits } from '#features/credits/server/credits.ts'
import type { Deps } from '#server/deps.ts'
import type { Notification } from '#server/notify.ts'
import { openStatuses, type ServerEvents } from '../contract.ts'
import { generations } from './table.ts'
import { type Generation, generationViews } from './views.ts'

export type EventDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'log'>

/** Numbers are given before their transactions commit, so what was seen last does not mean that everything before it was seen. */
const overlap = 32
const mostResumed = 200
/** People's devices take a connection for dead after 45 s of silence. */
const heartbeatMilliseconds = 12_000

export interface EventListener {
  userId: string
  sessionId: string
  language: Language
  lastEventId: string | undefined
}

/** One person's connection: says what changed since the last event seen, then what changes. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #deps: EventDeps
  readonly #who: EventListener
  readonly #onEnd: () => void
  readonly #changed = new Set<string>()
  #creditsChanged = true
  #checkSession = false
  #beat = false
  #resume: number | undefined
  #lastChange = 0
  #ended = false
  #left = false
  #wake = () => {}
  readonly #timer: NodeJS.Timeout

  constructor(deps: EventDeps, who: EventListener, onEnd: () => void) {
    this.#deps = deps
    this.#who = who
    this.#onEnd = onEnd
    this.#resume = /^\d{1,15}$/.test(who.lastEventId ?? '') ? Number(who.lastEventId) : -1
    this.#timer = setInterval(() => {
      this.#beat = true
      this.#checkSession = true
      this.#wake()
    }, heartbeatMilliseconds)
    this.#timer.unref()
    const encoder = new TextEncoder()
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const text = await this.#next().catch((error: unknown) => {
            deps.log.error({ err: error }, 'event stream failed')
            this.end()
            return undefined
          })
          // Whoever listened may have left while we were looking.
          if (this.#left) return
          if (text === undefined) controller.close()
          else controller.enqueue(encoder.encode(text))
        },
        cancel: () => {
          this.#left = true
          this.end()
        },
      },
      { highWaterMark: 1 },
    )
  }

  receive(notification: Notification): void {
    if (notification.kind === 'generation') this.#changed.add(notification.generationId)
    else if (notification.kind === 'credits') this.#creditsChanged = true
    else if (notification.kind === 'session_revoked') this.#checkSession = true
    else if (notification.kind === 'resync') {
      this.#resume = this.#lastChange
      this.#creditsChanged = true
      this.#checkSession = true
    } else return
    this.#wake()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#timer)
    this.#onEnd()
    this.#wake()
  }

  /** The next piece of the answer; undefined when it is over. What changed several times meanwhile is said once. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      if (this.#ended) return undefined
      if (this.#checkSession) {
        this.#checkSession = false
        if (!(await this.#sessionLives())) {
          this.end()
          return undefined
        }
      }
      const text = await this.#collect()
      if (text !== '') return text
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        if (this.#ended || this.#beat || this.#hasNews()) resolve()
      })
    }
  }

  #hasNews(): boolean {
    return this.#resume !== undefined || this.#changed.size > 0 || this.#creditsChanged || this.#checkSession
  }

  async #collect(): Promise<string> {
    const events: string[] = []
    if (this.#resume !== undefined) {
      const after = this.#resume
      this.#resume = undefined
      events.push(...(await this.#generationEvents(await this.#missedSince(after))))
    }
    if (this.#changed.size > 0) {
      const ids = [...this.#changed]
      this.#changed.clear()
      const { userId } = this.#who
      const rows = await this.#deps.db
        .select()
        .from(generations)
        .where(and(inArray(generations.id, ids), eq(generations.userId, userId), isNull(generations.deletedAt)))
        .orderBy(asc(generations.change))
      events.push(...(await this.#generationEvents(rows)))
    }
    if (this.#creditsChanged) {
      this.#creditsChanged = false
      const { db, clock } = this.#deps
      const { credits: balance, unlimitedUntil, updatedAt } = await credits.balance(db, this.#who.userId, clock())
      events.push(event('credits', { credits: balance, unlimitedUntil, updatedAt }, this.#lastChange))
    }
    if (events.length === 0 && this.#beat) events.push(': \n\n')
    this.#beat = false
    return events.join('')
  }

  /** A first connection gets what is open; one that resumes, everything that has changed since. */
  async #missedSince(after: number): Promise<Generation[]> {
    const { db } = this.#deps
    const mine = and(eq(generations.userId, this.#who.userId), isNull(generations.deletedAt))
    const missed = await db
      .select()
      .from(generations)
      .where(
        and(mine, after < 0 ? inArray(generations.status, [...openStatuses]) : gt(generations.change, after - overlap)),
      )
      .orderBy(desc(generations.change))
      .limit(mostResumed)
    const [newest] = await db
      .select({ change: generations.change })
      .from(generations)
      .where(eq(generations.userId, this.#who.userId))
      .orderBy(desc(generations.change))
      .limit(1)
    // Known beforehand, so that the balance, which comes without a change of a generation, has an id to resume from.
    this.#lastChange = Math.max(after, newest?.change ?? 0, 0)
    return missed.reverse()
  }

  async #generationEvents(rows: Generation[]): Promise<string[]> {
    const views = await generationViews(this.#deps, this.#deps.db, rows, this.#who.language)
    return views.map((view, index) => {
      this.#lastChange = Math.max(this.#lastChange, rows[index]?.change ?? 0)
      return event('generation', view, rows[index]?.change ?? this.#lastChange)
    })
  }

  async #sessionLives(): Promise<boolean> {
    const { db, clock } = this.#deps
    const [session] = await db
      .select({ expiresAt: sessions.expiresAt })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.id, this.#who.sessionId), isNull(sessions.revokedAt), isNull(users.disabledAt)))
    return session !== undefined && session.expiresAt > clock()
  }
}

function event<Name extends keyof ServerEvents>(name: Name, data: ServerEvents[Name], id: number): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}
