import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CloudUpload } from 'lucide-react'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

/** The request has arrived, or is safe on the device until there is a connection. */
export function SentDialog({ arrived, email, onClose }: { arrived: boolean; email: string; onClose: () => void }) {
  const { t } = useLingui()
  const Icon = arrived ? CircleCheck : CloudUpload
  return (
    <Dialog open onClose={onClose} title={arrived ? t`Permintaanmu terkirim` : t`Permintaanmu tersimpan`}>
      <div className="grid gap-5">
        <Icon aria-hidden className="size-12 text-success" />
        <p className="leading-relaxed">
          {arrived
            ? t`Desainer kami mengerjakannya dan mengirim hasilnya ke ${email} dalam 2 sampai 4 hari.`
            : t`Begitu ada koneksi, permintaan ini terkirim sendiri, sekali saja. Hasilnya nanti dikirim ke ${email}.`}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Tutup`}</Button>
          <LinkButton to="/history">{t`Lihat riwayat`}</LinkButton>
        </div>
      </div>
    </Dialog>
  )
}
