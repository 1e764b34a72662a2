import { useLingui } from '@lingui/react/macro'
import { showSnackbar } from '#ui/snackbar.tsx'
import { ReauthenticationDialog } from '../reauthentication/reauthentication-dialog.tsx'
import { sendFirstFactorLink } from '../second-factor-api.ts'

/** Before an account's first authenticator app or passkey: the link to its address. */
export function FirstFactorDialog({ open, onClose, title }: { open: boolean; onClose: () => void; title: string }) {
  const { t } = useLingui()
  return (
    <ReauthenticationDialog
      open={open}
      onClose={onClose}
      title={title}
      action={t`Kirim tautan`}
      send={async (credential) => {
        await sendFirstFactorLink(credential)
        showSnackbar('success', t`Tautan dikirim. Buka emailmu di perangkat ini untuk melanjutkan.`)
      }}
    >
      {t`Ini langkah kedua yang pertama di akunmu, jadi kami pastikan dulu lewat email. Buka tautannya di perangkat ini.`}
    </ReauthenticationDialog>
  )
}
