import pg from 'pg'
import { refuseInsideTransaction } from './inside-transaction.ts'

type Client = pg.PoolClient

/**
 * A pool that refuses connections to those who are inside a transaction already: a busy pool would
 * let them wait for each other for ever.
 */
export class GuardedPool extends pg.Pool {
  /** Behind a pooler each transaction has another connection, which knows no statements by name. */
  constructor(options: Omit<pg.PoolConfig, 'Client' | 'pipeline'> & { unnamed?: boolean }) {
    super({ ...options, pipeline: true, Client: TransactionClient })
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
    return super.connect()
  }
}

/**
 * Sends statements that are made at the same time in one packet, and `begin` together with the
 * first statement of its transaction: a round trip less for every transaction. PostgreSQL runs them
 * one after the other. With nothing before it, `begin` fails only when its connection does, and
 * then so does the statement.
 */
class TransactionClient extends pg.Client {
  #begin: unknown[] | undefined
  readonly #unnamed: boolean

  constructor(options?: pg.ClientConfig & { unnamed?: boolean }) {
    super(options)
    this.#unnamed = options?.unnamed === true
  }

  override query = ((...args: unknown[]) => {
    if (this.#unnamed) args[0] = withoutName(args[0])
    if (isBegin(args[0])) {
      this.#begin = args
      return Promise.resolve({ rows: [] })
    }
    this.#gather()
    const send = super.query as (...args: unknown[]) => Promise<unknown>
    if (!this.#begin) return send.apply(this, args)
    const begun = send.apply(this, this.#begin)
    this.#begin = undefined
    return Promise.all([send.apply(this, args), begun]).then(([result]) => result)
  }) as pg.Client['query']

  #gather(): void {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

function withoutName(config: unknown): unknown {
  return typeof config === 'object' && config !== null && 'name' in config ? { ...config, name: undefined } : config
}

function isBegin(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'text' in config && config.text === 'begin'
}
