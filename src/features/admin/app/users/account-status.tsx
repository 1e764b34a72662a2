import { useLingui } from '@lingui/react/macro'
import type { AdminUserView } from '#features/account/admin/types.ts'
import { Badge } from '#ui/badge.tsx'

/** Whether the account can be used. */
export function AccountStatus({ user }: { user: Pick<AdminUserView, 'disabled' | 'verified'> }) {
  const { t } = useLingui()
  if (user.disabled) return <Badge tone="bad">{t`Nonaktif`}</Badge>
  return user.verified ? <Badge tone="good">{t`Aktif`}</Badge> : <Badge tone="warn">{t`Belum verifikasi`}</Badge>
}
