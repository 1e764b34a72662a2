import type { Language } from '#contract/language.ts'
import type { Deps } from '#server/deps.ts'
import type { Notification } from '#server/notify.ts'
import type { EventName, ServerEvents } from '../types.ts'

export type EventDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'log' | 'tools'>

/** User and session of a connection. */
export interface EventListener {
  userId: string
  sessionId: string
  language: Language
}

/** Current state of a user's thing. */
export interface Change<Data> {
  data: Data
  /** Number of its last change; absent where only the current state counts. */
  position?: number
}

/** Contribution of a feature to the event stream; registered in src/main. */
export interface EventSource<Data> {
  /** Id of the thing that a notification is about; undefined for other features' notifications. */
  concerns(notification: Notification): string | undefined
  /** Current state of these things of the user, in the order of their changes. */
  read(deps: EventDeps, listener: EventListener, ids: string[]): Promise<Change<Data>[]>
  /**
   * Initial events of a connection: open things for a first one, or all changes after the position
   * at which it broke. `position` is the newest change of the user's things.
   */
  start(
    deps: EventDeps,
    listener: EventListener,
    after: number | undefined,
  ): Promise<{ changes: Change<Data>[]; position?: number }>
}

export type EventSources = { [Name in EventName]: EventSource<ServerEvents[Name]> }

/**
 * Positions are assigned before their transactions commit, so the last one seen does not imply that
 * all earlier ones were seen.
 */
export const positionOverlap = 32
/** Most events sent when a connection resumes. */
export const maxResumed = 200
