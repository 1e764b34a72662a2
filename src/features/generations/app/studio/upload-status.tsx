import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Clock, CloudOff, CloudUpload, Coins, LogIn, TriangleAlert } from 'lucide-react'
import { onlineAtom } from '#client/connection.ts'
import { formatNumber } from '#client/format.ts'
import {
  cancelUpload,
  confirmUpload,
  consentToUpload,
  dismissUpload,
  refusalText,
  retryUpload,
  type UploadItem,
  type UploadState,
  useMemoryNote,
} from '#features/uploads/app/uploads.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { takesVideo } from './inputs.ts'
import { StatusCard, type StatusCardProps } from './status-card.tsx'

/** Where a picture on its way to the server stands, and what can be done about it. */
export function UploadStatus({
  upload,
  progress,
  definition,
  onBack,
}: {
  upload: UploadItem
  /** How much of it has left the device, 0 to 1. */
  progress: number
  definition: AnyToolPage['definition']
  /** Back to the picture and its options. */
  onBack: () => void
}) {
  const { t } = useLingui()
  const { id, state } = upload
  const video = takesVideo(definition)
  const note = useMemoryNote([upload])
  const online = useAtomValue(onlineAtom)
  const percent = Math.round(progress * 100)
  const asked = formatNumber(upload.askedPrice ?? 0)
  const asksConsent = upload.code === 'consent.required'
  const cards: Record<UploadState, () => StatusCardProps> = {
    sign_in: () => ({
      tone: 'wait',
      icon: LogIn,
      title: t`Masuk lagi untuk mengirim`,
      children:
        note ??
        (video
          ? t`Sesimu sudah berakhir. Videomu tersimpan dan terkirim sendiri setelah kamu masuk.`
          : t`Sesimu sudah berakhir. Fotomu tersimpan dan terkirim sendiri setelah kamu masuk.`),
      actions: <LinkButton to="/login" state={{ from: definition.route }}>{t`Masuk`}</LinkButton>,
    }),
    credits: () => ({
      tone: 'wait',
      icon: Coins,
      title: t`Kreditmu belum cukup`,
      children: note
        ? `${t`Tidak ada kredit yang terpakai.`} ${note}`
        : video
          ? t`Belum ada kredit yang terpakai. Videomu tersimpan dan terkirim sendiri setelah kreditmu cukup.`
          : t`Belum ada kredit yang terpakai. Fotomu tersimpan dan terkirim sendiri setelah kreditmu cukup.`,
      actions: <LinkButton to="/pricing" state={{ from: definition.route }}>{t`Tambah kredit`}</LinkButton>,
    }),
    confirm: () => ({
      tone: 'wait',
      icon: Coins,
      title: t`Harganya sekarang ${asked} kredit`,
      children: `${t`Harga berubah sejak kamu menekan tombol. Belum ada kredit yang terpakai.`} ${note ?? ''}`,
      actions: <Button onClick={() => void confirmUpload(id)}>{t`Lanjutkan, ${asked} kredit`}</Button>,
    }),
    refused: () => ({
      tone: 'bad',
      icon: TriangleAlert,
      title: refusalText(upload),
      children: t`Tidak ada kredit yang terpakai.`,
      actions: (
        <>
          {asksConsent && <Button onClick={() => void consentToUpload(id)}>{t`Beri persetujuan`}</Button>}
          <Button
            variant={asksConsent ? 'ghost' : 'primary'}
            onClick={() => {
              void dismissUpload(id)
              onBack()
            }}
          >
            {video ? t`Kembali ke video` : t`Kembali ke foto`}
          </Button>
        </>
      ),
    }),
    waiting: () =>
      upload.attempts > 0 || !online
        ? {
            tone: 'wait',
            icon: CloudOff,
            title: t`Menunggu koneksi`,
            children:
              note ??
              (video
                ? t`Videomu aman di perangkat ini dan terkirim sendiri begitu tersambung. Kamu boleh menutup aplikasi.`
                : t`Fotomu aman di perangkat ini dan terkirim sendiri begitu tersambung. Kamu boleh menutup aplikasi.`),
            actions: <Button variant="soft" onClick={() => void retryUpload(id)}>{t`Kirim sekarang`}</Button>,
          }
        : { tone: 'busy', icon: CloudUpload, title: t`Mengunggah`, share: 0, children: note },
    sending: () => ({
      tone: 'busy',
      icon: CloudUpload,
      title: t`Mengunggah`,
      share: progress,
      children: (
        <>
          {percent < 100 ? `${percent}%` : t`Sebentar lagi`}
          {note && <p>{note}</p>}
        </>
      ),
    }),
    sent: () => cards.sending(),
    cancelling: () => ({ tone: 'busy', icon: Clock, title: t`Membatalkan…` }),
  }
  const card = cards[state]()
  const takeBack = () => {
    void cancelUpload(id)
    onBack()
  }
  return (
    <StatusCard
      {...card}
      actions={
        state !== 'cancelling' && (
          <>
            {card.actions}
            {state !== 'refused' && <Button variant="ghost" onClick={takeBack}>{t`Batalkan`}</Button>}
          </>
        )
      }
    />
  )
}
