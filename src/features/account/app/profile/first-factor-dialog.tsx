import { useLingui } from '@lingui/react/macro'
import { apiFetch } from '#client/api.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { ReauthenticationDialog } from '../reauthentication/reauthentication-form.tsx'

export function FirstFactorDialog(dialog: { open: boolean; onClose: () => void; title: string }) {
  const { t } = useLingui()
  return (
    <ReauthenticationDialog
      {...dialog}
      action={t`Kirim tautan`}
      send={async (credential) => {
        await apiFetch('/api/user/second_factor/link', { json: credential })
        showSnackbar('success', t`Tautan dikirim. Buka emailmu di perangkat ini untuk melanjutkan.`)
      }}
    >
      {t`Ini pertama kalinya kamu mengaktifkan verifikasi dua langkah, jadi kami konfirmasi dulu lewat email. Buka tautannya di perangkat ini.`}
    </ReauthenticationDialog>
  )
}
