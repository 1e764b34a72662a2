import { type AccessToken, readToken } from '#contract/session.ts'
import { Attempt, type AttemptPorts } from './attempt.ts'
import type { UploadItem, UploadState } from './item.ts'

/** What the sender is given by its page, worker or test. */
export interface SenderPorts extends Omit<AttemptPorts, 'now' | 'random'> {
  /** The access token of now; null when nobody is signed in. */
  token: () => Promise<string | null>
  locks?: Pick<LockManager, 'request'>
  now?: () => number
  random?: () => number
}

export interface SendResult {
  /**
   * Uploads that are still to be sent by themselves, and when the first of them is due
   * (milliseconds since 1970).
   */
  waiting: number
  nextAt: number | null
}

/** States that end without another attempt unless the person, or a new session, asks for one. */
const active = (item: UploadItem) => item.state === 'waiting' || item.state === 'cancelling'

/** Where there are no Web Locks, each sender takes its own turns; the key of a run still counts. */
const ownTurns = { request: async (_: string, send: () => unknown) => send() } as Pick<LockManager, 'request'>

/**
 * Sends uploads one after the other. One sender works at a time in all pages and the worker: a Web
 * Lock sees to that.
 */
export class Sender {
  readonly #ports: Required<SenderPorts>
  #running: Promise<SendResult> | undefined
  #again: Promise<SendResult> | undefined
  #againEager = false
  #attempt: Attempt | undefined

  constructor(ports: SenderPorts) {
    this.#ports = { locks: navigator.locks ?? ownTurns, now: Date.now, random: Math.random, ...ports }
  }

  /**
   * Sends everything that is due, and what comes in meanwhile. With `eager`, uploads that only wait
   * because the network was gone are due at once; a pause that the server asked for is always kept.
   */
  send(options: { eager?: boolean } = {}): Promise<SendResult> {
    if (this.#running) {
      // The run under way may have looked at the queue already: one more follows it, and everybody
      // who asks now shares it.
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

  /**
   * Stops the attempt under way if it is this upload's; called when somebody, in whatever tab, took
   * it back.
   */
  abort(id: string): void {
    if (this.#attempt?.id === id) this.#attempt.abort()
  }

  async #run(eager: boolean): Promise<SendResult> {
    const { uploads, now } = this.#ports
    // We hold the lock, so nobody is sending: whatever says so was left behind by a page that died.
    await this.#change(await uploads.list(), 'sending', { state: 'waiting', nextAt: 0 })
    // Each upload gets one eager attempt a run, else a dead server would be asked without pause.
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
      if (!due) return result(mine.filter((item) => active(item) && item.refusedSession !== token.session))
      tried.add(due.id)
      // Known before the item says `sending`: whoever cancels from then on finds something to stop.
      this.#attempt = new Attempt(this.#ports, due.id, token)
      await this.#attempt.send().finally(() => {
        this.#attempt = undefined
      })
    }
  }

  /** Changes those of the uploads that are, and still are, in a state. */
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
  return active(item) && (item.nextAt <= now || (eager && item.lastStatus === 0))
}

function result(left: UploadItem[]): SendResult {
  return { waiting: left.length, nextAt: left.length ? Math.min(...left.map((item) => item.nextAt)) : null }
}
