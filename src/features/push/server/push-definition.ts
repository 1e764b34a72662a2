import type { Deps } from '#server/deps.ts'
import type { Language } from '#shared/language.ts'
import type { PushKind } from '../rules.ts'

export type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tools'>

export interface QueuedPush {
  userId: string
  subjectId: string | null
  language: Language
}

/** The sentences are `push.<kind>.title`, `.text` and, for several at once, `.group`. */
export interface PushDefinition {
  /**
   * Target of a tap and the values of the sentences; null when the message has become pointless.
   */
  content(
    deps: PushDeps,
    owed: QueuedPush,
  ): Promise<{ path: string; groupPath: string; values?: Record<string, string | number> } | null>
}

export type PushDefinitions = Record<PushKind, PushDefinition>
