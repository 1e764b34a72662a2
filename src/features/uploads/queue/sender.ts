import { NetworkError } from '#client/device/network-error.ts'
import { type AccessToken, readToken } from '#contract/session.ts'
import type { QueueMessage } from './channel.ts'
import { filesOf, type QueuedFile, type UploadItem, withFiles } from './item.ts'
import { endpointOf } from './jobs.ts'
import { afterFileRefusal, afterNetworkError, afterResponse, type Circumstances } from './outcome.ts'
import type { UploadStore } from './store.ts'
import type { ServerResponse, Transport } from './transport.ts'

/** What the sender is given by its page, worker or test. */
export interface SenderPorts {
  uploads: UploadStore
  transport: Transport
  /** The access token of now; null when nobody is signed in. */
  token: () => Promise<string | null>
  /** Tells pages and worker; called after the change is on disk. */
  announce: (message: QueueMessage) => void
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
  #inFlight: { id: string; abort: AbortController } | undefined

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
    if (this.#inFlight?.id === id) this.#inFlight.abort.abort()
  }

  async #run(eager: boolean): Promise<SendResult> {
    await this.#recover()
    // Each upload gets one eager attempt a run, else a dead server would be asked without pause.
    const tried = new Set<string>()
    for (;;) {
      const items = await this.#ports.uploads.list()
      const token = readToken(await this.#ports.token())
      const now = this.#ports.now()
      if (!token || token.expiresAt <= now) {
        await this.#askToSignIn(items, token)
        return this.#result(items.filter((item) => item.state === 'cancelling'))
      }
      const mine = items.filter((item) => item.userId === token.user.id)
      const due = mine.find((item) => this.#isDue(item, token, now, eager && !tried.has(item.id)))
      if (!due) return this.#result(mine.filter((item) => active(item) && item.refusedSession !== token.session))
      tried.add(due.id)
      await this.#attempt(due.id, token)
    }
  }

  #isDue(item: UploadItem, token: AccessToken, now: number, eager: boolean): boolean {
    if (item.refusedSession === token.session) return false
    if (item.state === 'sign_in') return true
    return active(item) && (item.nextAt <= now || (eager && item.lastStatus === 0))
  }

  #result(left: UploadItem[]): SendResult {
    return { waiting: left.length, nextAt: left.length ? Math.min(...left.map((item) => item.nextAt)) : null }
  }

  /**
   * We hold the lock, so nobody is sending: whatever says so was left behind by a page that died.
   */
  async #recover(): Promise<void> {
    for (const item of await this.#ports.uploads.list()) {
      if (item.state !== 'sending') continue
      await this.#ports.uploads.change(item.id, (current) =>
        current.state === 'sending' ? { ...current, state: 'waiting', nextAt: 0 } : undefined,
      )
      this.#ports.announce({ type: 'changed', id: item.id })
    }
  }

  async #askToSignIn(items: UploadItem[], expired: AccessToken | null): Promise<void> {
    for (const item of items) {
      if (item.state !== 'waiting' || (expired && item.userId !== expired.user.id)) continue
      await this.#ports.uploads.change(item.id, (current) =>
        current.state === 'waiting' ? { ...current, state: 'sign_in', code: 'auth.expired', message: null } : undefined,
      )
      this.#ports.announce({ type: 'changed', id: item.id })
    }
  }

  async #attempt(id: string, token: AccessToken): Promise<void> {
    const { announce, now, random } = this.#ports
    const abort = new AbortController()
    // Set before the item says `sending`: whoever cancels from then on finds something to stop.
    this.#inFlight = { id, abort }
    try {
      const item = await this.#ports.uploads.change(id, (current) => {
        if (!active(current) && current.state !== 'sign_in') return undefined
        const attempt = { ...current, attempts: current.attempts + 1, message: null, code: null }
        return current.state === 'cancelling' ? attempt : { ...attempt, state: 'sending' }
      })
      if (!item || (item.state !== 'sending' && item.state !== 'cancelling')) return
      announce({ type: 'changed', id })
      const uncertainBefore = item.uncertain
      const circumstances = (): Circumstances => ({ now: now(), random, token, uncertainBefore })
      try {
        const ready = await this.#sendFiles(item, token, abort.signal, circumstances)
        const response = ready && (await this.#sendRun(ready, token))
        if (response) await this.#finish(id, response, circumstances, token)
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        await this.#ports.uploads.change(id, (current) => afterNetworkError(current, circumstances()))
        announce({ type: 'changed', id })
      }
    } finally {
      this.#inFlight = undefined
    }
  }

  /**
   * Sends the files that have not arrived; resolves to the item with all of them there, or
   * undefined when it goes no further now.
   */
  async #sendFiles(
    item: UploadItem,
    token: AccessToken,
    signal: AbortSignal,
    circumstances: () => Circumstances,
  ): Promise<UploadItem | undefined> {
    const { id } = item
    const { announce, transport } = this.#ports
    const files = filesOf(item)
    const missing = files.filter((file) => !file.arrived)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    let arrived = total - missing.reduce((sum, { bytes }) => sum + bytes, 0)
    const progress = (bytes: number) => announce({ type: 'progress', id, share: total ? bytes / total : 0 })
    const blobs = missing.length > 0 ? await this.#ports.uploads.files(id) : []
    let current: UploadItem | undefined = item
    for (const { index, name, bytes, uploadUrl } of missing) {
      const blob = blobs?.[index]
      if (signal.aborted || !blob) throw new NetworkError()
      progress(arrived)
      let noted: Promise<unknown> = Promise.resolve()
      const refusal = await transport.upload(
        { blob, name, uploadUrl, headers: headersOf(item, token) },
        {
          signal,
          onProgress: (sent) => progress(arrived + sent),
          onBegun: (url) => {
            noted = this.#ports.uploads.change(id, (now) => withFile(now, index, { uploadUrl: url }))
          },
        },
      )
      await noted
      if (refusal) {
        await this.#ports.uploads.change(id, (now) => afterFileRefusal(now, index, refusal, circumstances()))
        announce({ type: 'changed', id })
        return undefined
      }
      arrived += bytes
      current = await this.#ports.uploads.change(id, (now) => withFile(now, index, { arrived: true }))
      if (!current) return undefined
    }
    progress(total)
    return current
  }

  /** POSTs the run; undefined when it was taken back before. */
  async #sendRun(item: UploadItem, token: AccessToken): Promise<ServerResponse | undefined> {
    const { id } = item
    // From here on nobody knows whether it arrived, until a response says so.
    const marked = await this.#ports.uploads.change(id, (current) =>
      current.state === 'sending' || current.state === 'cancelling' ? { ...current, uncertain: true } : undefined,
    )
    if (!marked?.uncertain || (marked.state !== 'sending' && marked.state !== 'cancelling')) return undefined
    const inputs = Object.entries(marked.inputs).map(([name, files]) => [
      name,
      files.map(({ uploadUrl, output }) =>
        output ? { file: output } : { upload: uploadUrl?.split('/').at(-1) ?? '' },
      ),
    ])
    const headers = { ...headersOf(item, token), 'Idempotency-Key': id }
    const { url, body } = endpointOf(marked)
    return await this.#ports.transport.post(url(marked), headers, body(marked, Object.fromEntries(inputs)))
  }

  async #finish(
    id: string,
    response: ServerResponse,
    circumstances: () => Circumstances,
    token: AccessToken,
  ): Promise<void> {
    const { announce } = this.#ports
    // Whoever cancels between the response and this write makes it `cancelling`; only the
    // transaction can tell.
    const after = await this.#ports.uploads.change(id, (current) => {
      const change = afterResponse(current, response, circumstances())
      const arrived = change !== undefined && change !== 'delete' && change.state === 'sent'
      return arrived && current.state === 'cancelling' && endpointOf(current).cancelUrl
        ? { ...change, state: 'cancelling', uncertain: true }
        : change
    })
    if (after?.state === 'cancelling' && after.generationId !== null) {
      await this.#cancelThere(after, response, circumstances, token)
      return
    }
    announce({ type: 'changed', id })
    if (after?.state === 'sent') {
      const generation = (after.kind ?? 'generation') === 'generation' ? response.body : null
      announce({ type: 'sent', id, userId: after.userId, generation })
    }
  }

  /**
   * It had arrived before it was taken back: the generation is cancelled and refunded; if it is
   * finished already, the person gets it.
   */
  async #cancelThere(
    item: UploadItem,
    response: ServerResponse,
    circumstances: () => Circumstances,
    token: AccessToken,
  ): Promise<void> {
    const { announce, transport } = this.#ports
    const { id, userId } = item
    const url = endpointOf(item).cancelUrl?.(item.generationId ?? '') ?? ''
    const status = await transport.post(url, headersOf(item, token), {}).then(
      (response) => response.status,
      () => 0,
    )
    const gone = (status >= 200 && status < 300) || status === 404
    const finished = status === 409
    await this.#ports.uploads.change(id, (current) => {
      if (gone) return 'delete'
      if (finished) return { ...current, state: 'sent', generationId: item.generationId }
      return afterNetworkError(current, circumstances())
    })
    announce({ type: 'changed', id })
    if (gone || finished) announce({ type: 'sent', id, userId, generation: gone ? null : response.body })
  }
}

function headersOf({ language }: UploadItem, token: AccessToken): Record<string, string> {
  return { Authorization: `Bearer ${token.raw}`, 'Accept-Language': language }
}

function withFile(item: UploadItem, index: number, change: Partial<QueuedFile>): UploadItem {
  return withFiles(item, (file) => (file.index === index ? { ...file, ...change } : file))
}
