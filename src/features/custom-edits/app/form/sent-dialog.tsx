import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CloudUpload } from 'lucide-react'
import type { JobOutcome } from '#features/uploads/app/uploads.ts'
import { memoryNote } from '#features/uploads/app/uploads.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

/** The request has arrived, or waits for a connection. */
export function SentDialog({ outcome, email, onClose }: { outcome: JobOutcome; email: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const arrived = outcome === 'arrived'
  const Icon = arrived ? CircleCheck : CloudUpload
  const titles: Record<JobOutcome, string> = {
    arrived: t`Permintaanmu terkirim`,
    kept: t`Permintaanmu tersimpan`,
    held: t`Menunggu koneksi`,
  }
  return (
    <Dialog open onClose={onClose} title={titles[outcome]}>
      <div className="grid gap-5">
        <Icon aria-hidden className="size-12 text-success" />
        <p className="leading-relaxed">
          {arrived
            ? t`Desainer kami mengerjakannya dan mengirim hasilnya ke ${email} dalam 2 sampai 4 hari.`
            : t`Begitu ada koneksi, permintaan ini terkirim sendiri, sekali saja. Hasilnya nanti dikirim ke ${email}.`}
        </p>
        {outcome === 'held' && <p className="leading-relaxed">{i18n._(memoryNote)}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Tutup`}</Button>
          <LinkButton to="/history">{t`Lihat riwayat`}</LinkButton>
        </div>
      </div>
    </Dialog>
  )
}
