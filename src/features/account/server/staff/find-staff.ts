import { and, eq, isNull } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { Role } from '#shared/roles.ts'
import { users } from '../table.ts'

export async function findStaff(executor: Executor, role: Exclude<Role, 'user'>): Promise<string[]> {
  const able = and(eq(users.role, role), isNull(users.disabledAt), isNull(users.deletedAt))
  const found = await executor.select({ id: users.id }).from(users).where(able)
  return found.map(({ id }) => id)
}
