import type { Language } from '#contract/language.ts'
import type { Deps } from '#server/deps.ts'
import type { PushKind } from '../rules.ts'

export type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tools'>

/** A message that is about to be sent. */
export interface OwedPush {
  userId: string
  subjectId: string | null
  language: Language
}

/**
 * One kind of message, written by the feature whose business it is. Its sentences are
 * `push.<kind>.title`, `.text` and, for several at once, `.group`.
 */
export interface PushDefinition {
  /**
   * Where a tap leads, also one on several, and the values of its sentences; null when it has
   * become pointless.
   */
  content(
    deps: PushDeps,
    owed: OwedPush,
  ): Promise<{ path: string; groupPath: string; values?: Record<string, string | number> } | null>
}

/** All messages by kind; src/main gathers them, and the types find one that nobody defines. */
export type PushDefinitions = Record<PushKind, PushDefinition>
