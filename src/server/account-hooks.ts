import type { Config } from './config.ts'
import type { Transaction } from './db/database.ts'
import type { Deps } from './deps.ts'
import type { PersonalData } from './personal-data.ts'

/**
 * Keyed hashes of an address: of its mailbox and of the domain of its owner. Or the reason why the
 * address gets no welcome credits.
 */
export type Mailbox = { hash: string; domain: string | undefined } | { refused: 'disposable' | 'alias' }

/**
 * Hooks of features for events of an account, so that the account feature need not import them;
 * src/main/registrations.ts gathers them.
 */
export interface AccountHooks {
  /** All features that keep personal data; archived in this order, erased in reverse order. */
  personalData: PersonalData[]
  /**
   * Called once for each account, in the transaction that verifies its address. `mailbox` is the
   * same for every spelling of an address.
   */
  verified: ((
    tx: Transaction,
    about: { userId: string; mailbox: Mailbox; now: Date; config: Config },
  ) => Promise<unknown>)[]
}

/** Dependencies of the account's own use cases. */
export type AccountDeps = Deps & { accountHooks: AccountHooks }
