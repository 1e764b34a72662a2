import { msg } from '@lingui/core/macro'
import { User } from 'lucide-react'
import type { PaletteSearch } from '#features/admin/contributions.ts'
import { adminQuery } from '#ui/admin/queries.ts'
import type { AdminUserDetail, AdminUserView, UserSummary } from '../../admin/schemas.ts'

export const userQuery = (id: string) => adminQuery<AdminUserDetail>(`users/${id}`)
export const summaryQuery = (id: string) => adminQuery<UserSummary>(`users/${id}/summary`)

export const userSearch: PaletteSearch = {
  name: msg`Pengguna`,
  icon: User,
  path: 'users',
  accepts: () => true,
  choiceOf: ({ id, name, email }: AdminUserView) => ({
    path: `/admin/users/${id}`,
    text: name,
    note: email,
    value: `${name} ${email} ${id}`,
  }),
}
