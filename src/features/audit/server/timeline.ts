import { sql } from 'drizzle-orm'
import { auditLog, securityEvents } from '#server/audit/table.ts'
import { users } from '#server/auth/table.ts'

export const auditTimeline = (userId: string) =>
  [
    {
      kind: 'security',
      columns: {
        at: sql`${securityEvents.createdAt}`,
        what: sql`${securityEvents.kind}`,
        detail: sql`${securityEvents.detail}`,
        technical: sql`${securityEvents.addressClass}`,
      },
      rows: sql`${securityEvents} where ${securityEvents.userId} = ${userId}`,
    },
    {
      kind: 'staff',
      columns: {
        at: sql`${auditLog.createdAt}`,
        what: sql`${auditLog.action}`,
        detail: sql`${auditLog.reason}`,
        state: sql`${users.name}`,
      },
      rows: sql`${auditLog} left join ${users} on ${users.id} = ${auditLog.actorId}
        where ${auditLog.subjectKind} = 'account' and ${auditLog.subjectId} = ${userId}`,
    },
  ] as const
