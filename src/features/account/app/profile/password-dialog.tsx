import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { BottomSheet } from '#ui/dialog.tsx'
import { profileQuery } from '../profile-api.ts'
import { PasswordForm } from './password-form.tsx'

export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  const title = profile?.hasPassword === false ? t`Buat kata sandi` : t`Ganti kata sandi`
  return (
    <BottomSheet open={open} onClose={onClose} title={title}>
      <PasswordForm onDone={onClose} />
    </BottomSheet>
  )
}
