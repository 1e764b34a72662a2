import type { AdminUserDetail, AdminUserView } from '#features/account/admin/schemas.ts'
import type { AdminOrderView } from '#features/billing/admin/schemas.ts'
import type { TaskView } from '#features/generations/schemas.ts'
import { adminList, adminQuery } from '#ui/admin/queries.ts'
import type { Period } from '../rules.ts'
import type { Dashboard, UserSummary } from '../schemas.ts'

export const userList = adminList<AdminUserView>('users')
export const orderList = adminList<AdminOrderView>('orders')
export const userQuery = (id: string) => adminQuery<AdminUserDetail>(`users/${id}`)
export const summaryQuery = (id: string) => adminQuery<UserSummary>(`users/${id}/summary`)
export const tasksQuery = adminQuery<{ items: TaskView[] }>('tasks')
export const dashboardQuery = (period: Period) => ({
  ...adminQuery<Dashboard>('dashboard', { period }),
  staleTime: 60_000,
  refetchInterval: 120_000,
})
