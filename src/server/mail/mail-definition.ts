import type { Language } from '#shared/language.ts'
import type { Executor } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from './mailer.ts'
import type { MailTemplate } from './table.ts'

export type MailDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** A pending mail of the outbox. */
export interface PendingMail {
  userId: string
  /** Such as an order's id. */
  subjectId: string | null
  to: string
  language: Language
}

/** Content of a mail beyond its catalogue messages. */
interface MailContent {
  /** Target of the button. A token in it is created now and stored nowhere else. */
  path: string
  values?: Record<string, string>
  attachments?: Mail['attachments']
}

/** Messages of a kind are `mail.<name>.subject`, `.text` and `.action`. */
export interface MailDefinition {
  /**
   * `typed_address` can be triggered by typing an address, so it may be ignored; `account` reports
   * an event of the account; `guardian` goes to the guardian whom a minor named; `farewell` and
   * `guardian_farewell` are the last ones after a deletion.
   */
  cause: 'typed_address' | 'account' | 'guardian' | 'farewell' | 'guardian_farewell'
  /** Null if the mail has become pointless. */
  content(deps: MailDeps, pending: PendingMail): Promise<MailContent | null>
}

/** All mails by name, gathered by src/server-app; the type check finds missing ones. */
export type MailDefinitions = Record<MailTemplate, MailDefinition>

/** Resolved at sending; undefined for deleted users. */
export type FindRecipient = (
  executor: Executor,
  userId: string,
) => Promise<{ address: string; language: Language; deleted: boolean } | undefined>
