import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { approvalKinds, approvalStatuses, approvalUnits } from '../rules.ts'

export const approvalKindType = pgEnum('approval_kind', approvalKinds)
export const approvalStatusType = pgEnum('approval_status', approvalStatuses)
export const approvalUnitType = pgEnum('approval_unit', approvalUnits)

/** Plain values, as the route took them. */
export type ApprovalRequest = Record<string, string | number | boolean | null>

export const approvals = pgTable(
  'approvals',
  {
    id: uuid().primaryKey(),
    kind: approvalKindType().notNull(),
    status: approvalStatusType().notNull().default('waiting'),
    unit: approvalUnitType().notNull(),
    /** Null if a voucher has no limit. */
    amount: bigint({ mode: 'number' }),
    userId: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The order's id, the voucher's code or id, or the account's id. */
    subject: text().notNull(),
    /** Idempotency key of the action: the same key again is the same approval. */
    key: text().unique('one_approval_per_key'),
    request: jsonb().$type<ApprovalRequest>().notNull(),
    reason: text().notNull(),
    requestedBy: uuid().notNull(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
    decidedBy: uuid(),
    decidedAt: timestamptz(),
    answer: text(),
  },
  (table) => [
    index().on(table.status, table.id),
    index().on(table.userId),
    uniqueIndex('one_waiting_approval')
      .on(table.kind, table.subject)
      .where(sql`${table.status} = 'waiting' and ${table.key} is null`),
  ],
)
