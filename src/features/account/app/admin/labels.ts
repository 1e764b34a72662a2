import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Duty, Role } from '#shared/roles.ts'

export const roleLabels: Record<Role, MessageDescriptor> = {
  user: msg`Pengguna biasa`,
  designer: msg`Desainer`,
  admin: msg`Admin`,
}

export const dutyLabels: Record<Duty, MessageDescriptor> = {
  finance: msg`Admin keuangan`,
  support: msg`Admin layanan`,
}
