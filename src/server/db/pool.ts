import { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseUnreachable } from './errors.ts'
import { refuseInsideTransaction } from './inside-transaction.ts'

/** Uses after which a statement gets a name. */
const usesUnnamed = 10
/** Each plan takes tens of kilobytes in each connection. */
const mostNames = 150
const mostCounted = 1000

/**
 * Names frequent statements, because planning takes as long as running most of them; a named one is
 * planned once for each connection.
 */
class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size === mostNames) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses <= usesUnnamed) {
      if (this.#uses.size === mostCounted) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    const name = `statement_${this.#names.size}`
    this.#names.set(text, name)
    this.#uses.delete(text)
    return name
  }
}

type Client = pg.PoolClient

/**
 * Refuses connections inside a transaction: in a busy pool they could wait for each other for ever.
 * Open connections only here and in `keepListening`: a client without an error listener ends the
 * process when its connection is lost.
 */
export class GuardedPool extends pg.Pool {
  /** Behind a pooler, another connection may not know a prepared statement. */
  constructor({ unnamed, ...options }: Omit<pg.PoolConfig, 'Client' | 'pipeline' | 'stream'> & { unnamed?: boolean }) {
    const own = { Client: TransactionClient, names: unnamed ? undefined : new StatementNames() }
    super({ ...options, ...own, pipeline: true, stream: () => new OneBufferSocket() })
    // A connection lost while the pool closes would end the process without a listener.
    this.on('error', () => {})
  }

  override connect(): Promise<Client>
  override connect(
    callback: (error: Error | undefined, client: Client | undefined, done: (release?: unknown) => void) => void,
  ): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<Client> | undefined {
    refuseInsideTransaction()
    if (callback) {
      super.connect(callback)
      return undefined
    }
    return super.connect().catch((error: unknown) => {
      throw new DatabaseUnreachable(error)
    })
  }
}

/** SQLSTATE of a write to a server that a failover has turned into a standby. */
const readOnly = '25006'

/**
 * Sends concurrent statements in one packet, and `begin` with the first statement, which saves a
 * round trip. `begin` fails only if its connection does, and then the next statement fails too.
 */
class TransactionClient extends pg.Client {
  #begin: unknown[] | undefined
  readonly #names: StatementNames | undefined

  constructor(options?: pg.ClientConfig & { names?: StatementNames }) {
    super(options)
    this.#names = options?.names
    // An error event without a listener ends the process, and the pool listens only to idle
    // clients. Running statements are rejected anyway.
    this.on('error', () => {})
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnly) this.#discard()
    })
  }

  override query = ((...args: unknown[]) => {
    if (Array.isArray(args[1]) && args[1].length > 0) args[0] = this.#named(args[0])
    if (isStatement(args[0], 'begin')) {
      this.#begin = args
      return Promise.resolve({ rows: [] })
    }
    this.#gather()
    const send = super.query as (...args: unknown[]) => Promise<unknown>
    if (isStatement(args[0], 'rollback')) return this.#rollBack(() => send.apply(this, args))
    if (!this.#begin) return send.apply(this, args)
    const begun = send.apply(this, this.#begin)
    this.#begin = undefined
    return Promise.all([send.apply(this, args), begun]).then(([result]) => result)
  }) as pg.Client['query']

  /**
   * Never rejects, so that the original failure is thrown. If the rollback fails, closing the
   * connection ends the transaction.
   */
  async #rollBack(send: () => Promise<unknown>): Promise<unknown> {
    if (this.#begin) {
      this.#begin = undefined
      return { rows: [] }
    }
    try {
      return await send()
    } catch {
      this.#discard()
      return { rows: [] }
    }
  }

  /** Closes the connection at once, and keeps the pool from reusing it. */
  #discard(): void {
    this.end().catch(() => {})
    this.connection.stream.destroy()
  }

  #named(config: unknown): pg.QueryConfig {
    const given = typeof config === 'string' ? { text: config } : (config as pg.QueryConfig)
    return { ...given, name: this.#names?.of(given.text) } as pg.QueryConfig
  }

  #gather(): void {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

/** Copying the pieces of messages costs less than a write for each. */
class OneBufferSocket extends Socket {
  override _writev(pieces: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, done)
  }
}

function isStatement(config: unknown, text: string): boolean {
  return typeof config === 'object' && config !== null && 'text' in config && config.text === text
}
