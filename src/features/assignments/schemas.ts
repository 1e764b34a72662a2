import { type } from '#shared/schema.ts'
import { assignableKinds } from './rules.ts'

const colleague = type({ id: 'string', name: 'string' })

/** Fields of work that can be assigned. */
export const assignmentFields = {
  assignee: colleague.or('null').describe('member of staff who takes care of it'),
  dueAt: type('string | null').describe('while it waits for a decision'),
} as const

export const colleaguesInput = type({ work: type.enumerated(...assignableKinds) })
export const colleaguesSchema = type({ items: colleague.array() })
export type Colleagues = typeof colleaguesSchema.infer

export const assignInput = type({ assignee: type('string.uuid').or('null').describe('null removes the assignee') })
