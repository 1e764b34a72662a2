import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { User } from 'lucide-react'
import type { PaletteSearch } from '#features/admin/contributions.ts'
import type { AgeBand } from '#shared/age.ts'
import type { Duty, Role } from '#shared/roles.ts'
import type { AdminUserView } from '../../admin/schemas.ts'

export const roleLabels: Record<Role, MessageDescriptor> = {
  user: msg`Pengguna biasa`,
  designer: msg`Desainer`,
  admin: msg`Admin`,
}

export const dutyLabels: Record<Duty, MessageDescriptor> = {
  finance: msg`Admin keuangan`,
  support: msg`Admin layanan`,
}

export const bandLabels: Record<AgeBand, MessageDescriptor> = {
  adult: msg`Dewasa`,
  minor: msg`Belum dewasa`,
  unknown: msg`Usia belum diisi`,
}

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
