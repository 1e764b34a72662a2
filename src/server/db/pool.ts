import pg from 'pg'
import { refuseInsideTransaction } from './inside-transaction.ts'

type Client = pg.PoolClient

/** A pool that refuses connections to those who are inside a transaction already: a busy pool would let them wait for each other for ever. */
export class GuardedPool extends pg.Pool {
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
