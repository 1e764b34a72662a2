import { type AccessToken, readToken } from '#shared/session.ts'
import { Attempt, type AttemptPorts } from './attempt.ts'
import type { UploadItem, UploadState } from './item.ts'

export interface SenderPorts extends Omit<AttemptPorts, 'now' | 'random'> {
  /** Null when signed out. */
  token: () => Promise<string | null>
  locks?: Pick<LockManager, 'request'>
  now?: () => number
  random?: () => number
}

export interface SendResult {
  /** Uploads that will be sent automatically; `nextAt` in milliseconds since 1970. */
  waiting: number
  nextAt: number | null
}

/** Other states need the user or a new session. */
const isPending = (item: UploadItem) => item.state === 'waiting' || item.state === 'cancelling'

/** Without Web Locks each sender works alone; idempotency keys still protect. */
const noLocks = { request: async (_: string, send: () => unknown) => send() } as Pick<LockManager, 'request'>

/** A Web Lock ensures one active sender among all pages and the worker. */
export class Sender {
  readonly #ports: Required<SenderPorts>
  #running: Promise<SendResult> | undefined
  #again: Promise<SendResult> | undefined
  #againEager = false
  #attempt: Attempt | undefined

  constructor(ports: SenderPorts) {
    this.#ports = { locks: navigator.locks ?? noLocks, now: Date.now, random: Math.random, ...ports }
  }

  /**
   * Sends everything that is due. With `eager`, items that wait only for the network are due at
   * once; a pause requested by the server is always kept.
   */
  send(options: { eager?: boolean } = {}): Promise<SendResult> {
    if (this.#running) {
      // The current pass may have read the queue already, so another one follows, shared by all
      // callers.
      this.#againEager ||= options.eager ?? false
      this.#again ??= this.#running
        .catch(() => undefined)
        .then(() => {
          const eager = this.#againEager
          this.#again = undefined
          this.#againEager = false
          return this.send({ eager })
        })
      return this.#again
    }
    this.#running = this.#ports.locks
      .request('upload-queue', () => this.#run(options.eager ?? false))
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  abort(id: string): void {
    if (this.#attempt?.id === id) this.#attempt.abort()
  }

  async #run(eager: boolean): Promise<SendResult> {
    const { uploads, now } = this.#ports
    // Holding the lock means that no sender is active: items in `sending` were left by a page that
    // died.
    await this.#change(await uploads.list(), 'sending', { state: 'waiting', nextAt: 0 })
    // One eager attempt each; otherwise a dead server would be called without pause.
    const tried = new Set<string>()
    for (;;) {
      const items = await uploads.list()
      const token = readToken(await this.#ports.token())
      if (!token || token.expiresAt <= now()) {
        const theirs = items.filter((item) => !token || item.userId === token.user.id)
        await this.#change(theirs, 'waiting', { state: 'sign_in', code: 'auth.expired', message: null })
        return result(items.filter((item) => item.state === 'cancelling'))
      }
      const mine = items.filter((item) => item.userId === token.user.id)
      const due = mine.find((item) => isDue(item, token, now(), eager && !tried.has(item.id)))
      if (!due) return result(mine.filter((item) => isPending(item) && item.refusedSession !== token.session))
      tried.add(due.id)
      // Set before the item says `sending`, so that a cancellation finds an attempt to stop.
      this.#attempt = new Attempt(this.#ports, due.id, token)
      await this.#attempt.send().finally(() => {
        this.#attempt = undefined
      })
    }
  }

  async #change(items: UploadItem[], from: UploadState, change: Partial<UploadItem>): Promise<void> {
    for (const { id } of items.filter(({ state }) => state === from)) {
      await this.#ports.uploads.change(id, (item) => (item.state === from ? { ...item, ...change } : undefined))
      this.#ports.announce({ type: 'changed', id })
    }
  }
}

function isDue(item: UploadItem, token: AccessToken, now: number, eager: boolean): boolean {
  if (item.refusedSession === token.session) return false
  if (item.state === 'sign_in') return true
  return isPending(item) && (item.nextAt <= now || (eager && item.lastStatus === 0))
}

function result(left: UploadItem[]): SendResult {
  return { waiting: left.length, nextAt: left.length ? Math.min(...left.map((item) => item.nextAt)) : null }
}
