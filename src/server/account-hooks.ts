import type { Config } from './config.ts'
import type { Transaction } from './db/database.ts'
import type { Deps } from './deps.ts'
import type { PersonalData } from './personal-data.ts'

/** Keyed hashes of an address's mailbox and domain, or why it gets no welcome credits. */
export type Mailbox = { hash: string; domain: string | undefined } | { refused: 'disposable' | 'alias' }

/** Features hook into account events so that the account feature need not import them. */
export interface AccountHooks {
  personalData: PersonalData[]
  /**
   * Runs once for each account, in the transaction that verifies its address; `mailbox` is the same
   * for every spelling.
   */
  verified: ((
    tx: Transaction,
    about: { userId: string; mailbox: Mailbox; now: Date; config: Config },
  ) => Promise<unknown>)[]
}

export type AccountDeps = Deps & { accountHooks: AccountHooks }
