import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

/**
 * Asked before signing out while uploads wait, for they go with everything else of this person, and
 * where another site may have led them here.
 */
export function SignOutQuestion({
  open,
  waiting,
  onSignOut,
  onStay,
}: {
  open: boolean
  /** How many uploads wait. */
  waiting: number
  onSignOut: () => void
  onStay: () => void
}) {
  const { t } = useLingui()
  return (
    <Dialog open={open} onClose={onStay} title={t`Keluar sekarang?`}>
      <p className="mb-6 leading-relaxed">
        {waiting > 0 ? (
          <>
            <Plural value={waiting} other="# foto belum terkirim." />{' '}
            <Trans>
              Kalau kamu keluar, foto yang menunggu dihapus dari perangkat ini. Hasil yang sudah jadi tetap ada di
              riwayat.
            </Trans>
          </>
        ) : (
          <Trans>Sebuah tautan membawamu ke sini. Hasilmu tetap ada di riwayat saat kamu masuk lagi.</Trans>
        )}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onSignOut}>
          {waiting > 0 ? t`Hapus dan keluar` : t`Keluar`}
        </Button>
        <Button onClick={onStay}>{t`Tetap masuk`}</Button>
      </div>
    </Dialog>
  )
}
