import type { Language } from '#contract/language.ts'
import type { Deps } from '#server/deps.ts'
import type { PushKind } from '../rules.ts'

export type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tools'>

/** A message about to be sent. */
export interface OwedPush {
  userId: string
  subjectId: string | null
  language: Language
}

/**
 * Definition of a kind of push message, by the feature that sends it. Its sentences are
 * `push.<kind>.title`, `.text` and, for several at once, `.group`.
 */
export interface PushDefinition {
  /**
   * Target of a tap, also on a group, and the values of the sentences; null when the message has
   * become pointless.
   */
  content(
    deps: PushDeps,
    owed: OwedPush,
  ): Promise<{ path: string; groupPath: string; values?: Record<string, string | number> } | null>
}

/**
 * Definitions of all push messages by kind. src/main gathers them, and the types find a missing
 * definition.
 */
export type PushDefinitions = Record<PushKind, PushDefinition>
