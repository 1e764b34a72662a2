import type { MessageDescriptor } from '@lingui/core'
import type { LucideIcon } from 'lucide-react'
import type { Permission } from '#shared/roles.ts'
import type { Dashboard, TimelineEntry } from './schemas.ts'

export type OpenWork = Dashboard['open']

/** Open work that the dashboard lists when there is any. */
export interface OpenItem {
  count: keyof OpenWork
  needs: Permission
  path: string
  text: (open: OpenWork) => MessageDescriptor
}

/** Open work of a role without a dashboard; `path` is relative to /api/admin/. */
export interface RoleWork {
  path: string
  openIn(answer: never): Partial<OpenWork>
}

/** Finds rows of a list in the command palette; `path` is relative to /api/admin/. */
export interface PaletteSearch {
  name: MessageDescriptor
  icon: LucideIcon
  path: string
  accepts(search: string): boolean
  choiceOf(row: never): { path: string; text: string; note: string; value: string }
}

export interface TimelineTexts {
  /** The label's text, or the name if there is no label. */
  text(label: MessageDescriptor | undefined, name: string): string
  toolName(tool: string): string
  /** Text of the entry's state. */
  state: string
}

/** Shows the entries of one kind in a user's timeline. */
export interface TimelineSection {
  name: MessageDescriptor
  wordsOf(entry: TimelineEntry, texts: TimelineTexts): [title: string, text: string | null]
  /** Address of an entry's subject, for staff with the permission. */
  path?: (subject: string) => string
  needs?: Permission
}
