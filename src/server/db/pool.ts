import { Socket } from 'node:net'
import pg from 'pg'
import { refuseInsideTransaction } from './inside-transaction.ts'
import { DatabaseUnreachable } from './outage.ts'
import { StatementNames } from './statement-names.ts'

type Client = pg.PoolClient

/**
 * A pool that refuses connections inside a transaction: a busy pool would let them wait for each
 * other for ever. The program opens no connections but by this pool and by `keepListening`, for a
 * client without an error listener ends the process when its connection is lost.
 */
export class GuardedPool extends pg.Pool {
  /** Behind a pooler each transaction has another connection, which knows no statements by name. */
  constructor({ unnamed, ...options }: Omit<pg.PoolConfig, 'Client' | 'pipeline' | 'stream'> & { unnamed?: boolean }) {
    const own = { Client: TransactionClient, names: unnamed ? undefined : new StatementNames() }
    super({ ...options, ...own, pipeline: true, stream: () => new OneBufferSocket() })
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

/** SQLSTATE of a write at a standby, which the server has become in a failover. */
const readOnly = '25006'

/**
 * Sends statements that are made at the same time in one packet, and `begin` together with the
 * first statement of its transaction: a round trip less for every transaction. PostgreSQL runs them
 * one after the other. With nothing before it, `begin` fails only when its connection does, and
 * then so does the statement.
 */
class TransactionClient extends pg.Client {
  #begin: unknown[] | undefined
  readonly #names: StatementNames | undefined

  constructor(options?: pg.ClientConfig & { names?: StatementNames }) {
    super(options)
    this.#names = options?.names
    // The pool listens to idle clients alone, and an error event without a listener ends the
    // process. Statements under way are rejected, and the pool takes no lost connection back.
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
   * Never rejects, so that the failure which is rolled back stays the one that is thrown. A
   * transaction ends with its connection, so one that cannot be rolled back is closed.
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

  /** Closes the connection without a goodbye, and keeps the pool from lending it again. */
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

/** Sends the pieces of messages as one buffer: copying them costs less than handing over each. */
class OneBufferSocket extends Socket {
  override _writev(pieces: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, done)
  }
}

function isStatement(config: unknown, text: string): boolean {
  return typeof config === 'object' && config !== null && 'text' in config && config.text === text
}
