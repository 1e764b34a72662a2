import type { Language } from '#contract/language.ts'
import type { Executor } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from './mailer.ts'
import type { MailTemplate } from './table.ts'

export type MailDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** A mail about to be sent, as in the outbox. */
export interface OwedMail {
  userId: string
  /** Subject beside the user, such as an order's id. */
  subjectId: string | null
  /** Recipient address. */
  to: string
  language: Language
}

/** Content of a mail beyond its catalogue messages. */
interface MailContent {
  /** Target of its button. A token in it is created now and stored nowhere else. */
  path: string
  /** Values for the placeholders. */
  values?: Record<string, string>
  attachments?: Mail['attachments']
}

/**
 * A kind of mail, defined by its feature. Its messages are `mail.<name>.subject`, `.text` and
 * `.action`.
 */
export interface MailDefinition {
  /**
   * Cause of the mail: `anybody` could trigger it by typing an address, so it may be ignored;
   * `account` reports an event of the account, so it must not be; `farewell` is the last one after
   * a deletion.
   */
  cause: 'anybody' | 'account' | 'farewell'
  /** Null if it has become pointless. */
  content(deps: MailDeps, owed: OwedMail): Promise<MailContent | null>
}

/** All mails by name, gathered by src/main; the type check finds missing ones. */
export type MailDefinitions = Record<MailTemplate, MailDefinition>

/** Recipient, resolved at sending; undefined for deleted users. */
export type FindRecipient = (
  executor: Executor,
  userId: string,
) => Promise<{ address: string; language: Language; deleted: boolean } | undefined>
