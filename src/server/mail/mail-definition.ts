import type { Language } from '#contract/language.ts'
import type { Executor } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { Mail } from './mailer.ts'
import type { MailTemplate } from './table.ts'

export type MailDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** A mail that is about to be sent, as the outbox has it. */
export interface OwedMail {
  userId: string
  /** What it is about where that is not the person alone, e.g. an order's id. */
  subjectId: string | null
  /** The address it goes to. */
  to: string
  language: Language
}

/** What a mail says beyond its sentences in the catalogue. */
interface MailContent {
  /** Where its button leads. A token in it is made now and kept nowhere else. */
  path: string
  /** Values of its sentences. */
  values?: Record<string, string>
  attachments?: Mail['attachments']
}

/**
 * One kind of mail, written by the feature whose business it is. Its sentences are
 * `mail.<name>.subject`, `.text` and `.action`.
 */
export interface MailDefinition {
  /**
   * Why somebody gets it: `anybody` could cause it by typing an address, so it may be ignored;
   * `account` tells of something that happened in an account, so it must not be; `farewell` is the
   * last one, sent to a person whose account is gone.
   */
  cause: 'anybody' | 'account' | 'farewell'
  /** Null when it has become pointless. */
  content(deps: MailDeps, owed: OwedMail): Promise<MailContent | null>
}

/** All mails by name; src/main gathers them, and the type check finds one that nobody defines. */
export type MailDefinitions = Record<MailTemplate, MailDefinition>

/** Who a mail goes to, asked when it is sent; undefined when there is no such person. */
export type FindRecipient = (
  executor: Executor,
  userId: string,
) => Promise<{ address: string; language: Language; deleted: boolean } | undefined>
