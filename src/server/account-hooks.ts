import type { Config } from './config.ts'
import type { Transaction } from './db/database.ts'
import type { Deps } from './deps.ts'
import type { PersonalData } from './personal-data.ts'

/**
 * Where an address leads: keyed hashes of its mailbox and of the domain of its owner, or why it may
 * not be welcomed.
 */
export type Mailbox = { hash: string; domain: string | undefined } | { refused: 'disposable' | 'alias' }

/**
 * What features do when something happens to an account, without the account knowing them;
 * src/main/registrations.ts gathers it.
 */
export interface AccountHooks {
  /**
   * Everybody who keeps something about people; archived in this order, erased in the reverse one.
   */
  personalData: PersonalData[]
  /**
   * Called once an account, in the transaction that verifies its address. `mailbox` is the same for
   * every spelling of an address.
   */
  verified: ((
    tx: Transaction,
    about: { userId: string; mailbox: Mailbox; now: Date; config: Config },
  ) => Promise<unknown>)[]
}

/** What the account's own use cases are given. */
export type AccountDeps = Deps & { accountHooks: AccountHooks }
