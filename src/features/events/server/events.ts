import type { Deps } from '#server/deps.ts'
import type { Notification } from '#server/notify.ts'
import type { Language } from '#shared/language.ts'
import type { EventName, ServerEvents } from '../types.ts'

export type EventDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'log' | 'tools'>

export interface EventListener {
  userId: string
  sessionId: string
  language: Language
}

export interface Change<Data> {
  data: Data
  /** Number of the last change; absent where only the current state counts. */
  position?: number
}

/** Contribution of a feature; registered in src/server-app. */
export interface EventSource<Data> {
  /** Id of the changed thing; undefined for other features' notifications. */
  concerns(notification: Notification): string | undefined
  /** In the order of their changes. */
  read(deps: EventDeps, listener: EventListener, ids: string[]): Promise<Change<Data>[]>
  /** Open things for a first connection, otherwise all changes after the position of the break. */
  start(
    deps: EventDeps,
    listener: EventListener,
    after: number | undefined,
  ): Promise<{ changes: Change<Data>[]; position?: number }>
}

export type EventSources = { [Name in EventName]: EventSource<ServerEvents[Name]> }

/** Positions are assigned before their transactions commit, so an earlier one may appear later. */
export const positionOverlap = 32
export const maxResumed = 200
