import { useLingui } from '@lingui/react/macro'
import { LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'

/** A visitor pressed the button: an account is needed, and the picture comes along. */
export function SignUpSheet({ open, onClose, route }: { open: boolean; onClose: () => void; route: string }) {
  const { t } = useLingui()
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Satu langkah lagi`}>
      <p className="leading-relaxed text-muted">
        {t`Daftar gratis untuk memprosesnya. Fotomu ikut, jadi tidak perlu dipilih lagi, dan kamu langsung dapat kredit untuk mencoba.`}
      </p>
      <div className="mt-5 grid gap-2.5">
        <LinkButton size="lg" to="/register" state={{ from: route }}>
          {t`Daftar gratis`}
        </LinkButton>
        <LinkButton size="lg" variant="outline" to="/login" state={{ from: route }}>
          {t`Sudah punya akun? Masuk`}
        </LinkButton>
      </div>
    </BottomSheet>
  )
}
