import { UnreadableFile } from '#client/device/local-file.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { serverNow } from '#client/device/server-time.ts'
import { type AccessToken, readToken } from '#shared/session.ts'
import {
  type Change,
  filesOf,
  type QueuedFile,
  type QueueMessage,
  type UploadItem,
  type UploadState,
  type UploadStore,
  withFiles,
} from './store.ts'
import {
  afterFileLoss,
  afterFileRefusal,
  afterNetworkError,
  afterResponse,
  type Circumstances,
  endpointOf,
  isDue,
  isPending,
} from './transitions.ts'
import type { ServerResponse, Transport } from './transport.ts'

interface AttemptPorts {
  uploads: UploadStore
  transport: Transport
  /** Called after the change is stored. */
  announce: (message: QueueMessage) => void
  now: () => number
  random: () => number
}

const isInProgress = ({ state }: UploadItem) => state === 'sending' || state === 'cancelling'

/** Sends files that have not arrived, then the generation request. */
class Attempt {
  readonly id: string
  readonly #ports: AttemptPorts
  readonly #token: AccessToken
  readonly #abort = new AbortController()
  #uncertainBefore = false
  /** Index of the file that is being sent. */
  #file = -1

  constructor(ports: AttemptPorts, id: string, token: AccessToken) {
    this.#ports = ports
    this.id = id
    this.#token = token
  }

  abort(): void {
    this.#abort.abort()
  }

  async send(): Promise<void> {
    const item = await this.#change((current) => {
      if (!['waiting', 'cancelling', 'sign_in'].includes(current.state)) return undefined
      const attempt = { ...current, attempts: current.attempts + 1, message: null, code: null }
      return current.state === 'cancelling' ? attempt : { ...attempt, state: 'sending' }
    })
    if (!item || !isInProgress(item)) return
    this.#tell()
    this.#uncertainBefore = item.uncertain
    try {
      const ready = await this.#sendFiles(item)
      const response = ready && (await this.#sendRun(ready))
      if (response) await this.#finish(response)
    } catch (error) {
      const lost = error instanceof UnreadableFile
      if (!lost && !(error instanceof NetworkError)) throw error
      await this.#change((current) =>
        lost ? afterFileLoss(current, [this.#file]) : afterNetworkError(current, this.#circumstances()),
      )
      this.#tell()
    }
  }

  #circumstances(): Circumstances {
    const { now, random } = this.#ports
    return { now: now(), random, token: this.#token, uncertainBefore: this.#uncertainBefore }
  }

  #change(decide: (item: UploadItem) => Change): Promise<UploadItem | undefined> {
    return this.#ports.uploads.change(this.id, decide)
  }

  #tell(): void {
    this.#ports.announce({ type: 'changed', id: this.id })
  }

  #headers({ language }: UploadItem): Record<string, string> {
    return { Authorization: `Bearer ${this.#token.raw}`, 'Accept-Language': language }
  }

  /** Undefined when the attempt stops here. */
  async #sendFiles(item: UploadItem): Promise<UploadItem | undefined> {
    const { announce, transport, uploads } = this.#ports
    const { id } = item
    const files = filesOf(item)
    const missing = files.filter((file) => !file.arrived)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    let arrived = total - missing.reduce((sum, { bytes }) => sum + bytes, 0)
    const progress = (bytes: number) => announce({ type: 'progress', id, share: total ? bytes / total : 0 })
    const blobs = missing.length > 0 ? await uploads.files(id) : []
    let current: UploadItem | undefined = item
    for (const { index, name, bytes, uploadUrl } of missing) {
      const blob = blobs?.[index]
      this.#file = index
      if (this.#abort.signal.aborted) throw new NetworkError()
      if (blob?.size !== bytes) throw new UnreadableFile()
      progress(arrived)
      const change = (of: Partial<QueuedFile>) =>
        this.#change((now) => withFiles(now, (file) => (file.index === index ? { ...file, ...of } : file)))
      let noted: Promise<unknown> = Promise.resolve()
      const refusal = await transport.upload(
        { blob, name, uploadUrl, headers: this.#headers(item) },
        {
          signal: this.#abort.signal,
          onProgress: (sent) => progress(arrived + sent),
          onBegun: (url) => {
            noted = change({ uploadUrl: url })
          },
        },
      )
      await noted
      if (refusal) {
        await this.#change((now) => afterFileRefusal(now, index, refusal, this.#circumstances()))
        this.#tell()
        return undefined
      }
      arrived += bytes
      current = await change({ arrived: true })
      if (!current) return undefined
    }
    progress(total)
    return current
  }

  /** Undefined when the item was cancelled before. */
  async #sendRun(item: UploadItem): Promise<ServerResponse | undefined> {
    // From here on the request may have arrived, until a response says otherwise.
    const marked = await this.#change((now) => (isInProgress(now) ? { ...now, uncertain: true } : undefined))
    if (!marked?.uncertain || !isInProgress(marked)) return undefined
    const inputs = Object.entries(marked.inputs).map(([name, files]) => [
      name,
      files.map(({ uploadUrl, output }) =>
        output ? { file: output } : { upload: uploadUrl?.split('/').at(-1) ?? '' },
      ),
    ])
    const headers = { ...this.#headers(item), 'Idempotency-Key': this.id }
    const { url, body } = endpointOf(marked)
    return await this.#ports.transport.post(url(marked), headers, body(marked, Object.fromEntries(inputs)))
  }

  async #finish(response: ServerResponse): Promise<void> {
    // Cancelling between the response and this write makes it `cancelling`; only the transaction
    // can tell.
    const after = await this.#change((current) => {
      const change = afterResponse(current, response, this.#circumstances())
      const arrived = change !== undefined && change !== 'delete' && change.state === 'sent'
      return arrived && current.state === 'cancelling' && endpointOf(current).cancelUrl
        ? { ...change, state: 'cancelling', uncertain: true }
        : change
    })
    if (after?.state === 'cancelling' && after.generationId !== null) {
      await this.#cancelThere(after, response)
      return
    }
    this.#tell()
    if (after?.state === 'sent') {
      this.#tellArrival(after, after.kind === 'generation' ? response.body : null)
    }
  }

  /**
   * The request had arrived: the generation is cancelled and refunded, or shown if it is finished.
   */
  async #cancelThere(item: UploadItem, response: ServerResponse): Promise<void> {
    const url = endpointOf(item).cancelUrl?.(item.generationId ?? '') ?? ''
    const status = await this.#ports.transport.post(url, this.#headers(item), {}).then(
      (response) => response.status,
      () => 0,
    )
    const gone = (status >= 200 && status < 300) || status === 404
    const finished = status === 409
    await this.#change((current) => {
      if (gone) return 'delete'
      if (finished) return { ...current, state: 'sent', generationId: item.generationId }
      return afterNetworkError(current, this.#circumstances())
    })
    this.#tell()
    if (gone || finished) this.#tellArrival(item, gone ? null : response.body)
  }

  #tellArrival({ id, userId }: UploadItem, generation: unknown): void {
    this.#ports.announce({ type: 'sent', id, userId, generation })
  }
}

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
    this.#ports = { locks: navigator.locks ?? noLocks, now: serverNow, random: Math.random, ...ports }
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

function result(left: UploadItem[]): SendResult {
  return { waiting: left.length, nextAt: left.length ? Math.min(...left.map((item) => item.nextAt)) : null }
}
