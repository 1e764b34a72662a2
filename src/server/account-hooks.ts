import type { Language } from '#shared/language.ts'
import type { Config } from './config.ts'
import type { Transaction } from './db/database.ts'
import type { Deps } from './deps.ts'

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

export interface ArchiveFile {
  name: string
  content: string | ReadableStream<Uint8Array>
  modified?: Date
}

export interface PersonalData {
  /** All data, in files that are read one after the other. */
  archive(
    deps: Pick<Deps, 'db' | 'store' | 'clock'>,
    person: { userId: string; language: Language },
  ): AsyncIterable<ArchiveFile>
  /** Work outside the database before the deletion; may be done twice. */
  prepareErasure?(deps: Deps, userId: string): Promise<void>
  /**
   * Runs in the transaction that deletes the account; data that the ledger needs stay, without a
   * reference to the user. Returns storage keys of files to delete.
   */
  erase(tx: Transaction, who: { userId: string; now: Date }): Promise<string[]>
}

export function jsonFile(name: string, value: unknown): ArchiveFile {
  return { name, content: `${JSON.stringify(value, null, 2)}\n` }
}
