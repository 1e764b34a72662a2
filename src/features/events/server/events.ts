import type { Language } from '#contract/language.ts'
import type { Deps } from '#server/deps.ts'
import type { Notification } from '#server/notify.ts'
import type { EventName, ServerEvents } from '../types.ts'

export type EventDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'log' | 'tools'>

/** Whose connection it is. */
export interface EventListener {
  userId: string
  sessionId: string
  language: Language
}

/** One of a person's things as it is now. */
export interface Change<Data> {
  data: Data
  /** The number of its last change; absent where only the present counts. */
  position?: number
}

/** What a feature contributes to the event stream; registered in src/main. */
export interface EventSource<Data> {
  /**
   * Id of the thing that a notification is about; undefined when it is about none of this feature.
   */
  concerns(notification: Notification): string | undefined
  /** These things of the person as they are now, in the order of their changes. */
  read(deps: EventDeps, listener: EventListener, ids: string[]): Promise<Change<Data>[]>
  /**
   * What a connection begins with: what is under way when it is the first, or everything that
   * changed after the position at which it broke. `position` is the newest change of the person's
   * things.
   */
  start(
    deps: EventDeps,
    listener: EventListener,
    after: number | undefined,
  ): Promise<{ changes: Change<Data>[]; position?: number }>
}

export type EventSources = { [Name in EventName]: EventSource<ServerEvents[Name]> }

/**
 * Positions are given before their transactions commit: the last one seen does not mean that all
 * before it were seen.
 */
export const positionOverlap = 32
/** Events sent at most when a connection resumes. */
export const maxResumed = 200
