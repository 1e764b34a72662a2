import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/**
 * Asked before signing out while uploads wait, for they go with everything else of this person.
 * Show it when `waitingUploads()` has some.
 */
export function SignOutQuestion({
  waiting,
  onSignOut,
  onStay,
}: {
  /** How many uploads wait; 0 asks nothing. */
  waiting: number
  onSignOut: () => void
  onStay: () => void
}) {
  const { t } = useLingui()
  return (
    <Dialog open={waiting > 0} onClose={onStay} title={t`Keluar sekarang?`}>
      <p className="mb-6 leading-relaxed">
        <Plural value={waiting} other="# foto belum terkirim." />{' '}
        <Trans>
          Kalau kamu keluar, foto yang menunggu dihapus dari perangkat ini. Hasil yang sudah jadi tetap ada di riwayat.
        </Trans>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onSignOut}>{t`Hapus dan keluar`}</Button>
        <Button onClick={onStay}>{t`Tetap masuk`}</Button>
      </div>
    </Dialog>
  )
}
