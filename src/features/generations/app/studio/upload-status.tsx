import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Clock, CloudOff, CloudUpload, Coins, LogIn, TriangleAlert } from 'lucide-react'
import { onlineAtom } from '#client/connection.ts'
import { formatNumber } from '#client/format.ts'
import type { UploadItem } from '#features/uploads/app/uploads.ts'
import {
  cancelUpload,
  confirmUpload,
  consentToUpload,
  dismissUpload,
  retryUpload,
  useMemoryNote,
} from '#features/uploads/app/uploads.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { takesVideo } from './inputs.ts'
import { StatusCard } from './status-card.tsx'

/** Where a picture on its way to the server stands, and what can be done about it. */
export function UploadStatus({
  upload,
  progress,
  facts,
  onBack,
}: {
  upload: UploadItem
  /** How much of it has left the device, 0 to 1. */
  progress: number
  facts: AnyToolPage['facts']
  /** Back to the picture and its options. */
  onBack: () => void
}) {
  const { t } = useLingui()
  const video = takesVideo(facts)
  const note = useMemoryNote([upload])
  const online = useAtomValue(onlineAtom)
  const takeBack = (
    <Button
      variant="ghost"
      onClick={() => {
        void cancelUpload(upload.id)
        onBack()
      }}
    >
      {t`Batalkan`}
    </Button>
  )
  switch (upload.state) {
    case 'sign_in':
      return (
        <StatusCard
          tone="wait"
          icon={LogIn}
          title={t`Masuk lagi untuk mengirim`}
          actions={
            <>
              <LinkButton to="/login" state={{ from: facts.route }}>
                {t`Masuk`}
              </LinkButton>
              {takeBack}
            </>
          }
        >
          {note ??
            (video
              ? t`Sesimu sudah berakhir. Videomu tersimpan dan terkirim sendiri setelah kamu masuk.`
              : t`Sesimu sudah berakhir. Fotomu tersimpan dan terkirim sendiri setelah kamu masuk.`)}
        </StatusCard>
      )
    case 'credits':
      return (
        <StatusCard
          tone="wait"
          icon={Coins}
          title={t`Kreditmu belum cukup`}
          actions={
            <>
              <LinkButton to="/pricing" state={{ from: facts.route }}>
                {t`Tambah kredit`}
              </LinkButton>
              {takeBack}
            </>
          }
        >
          {note
            ? `${t`Tidak ada kredit yang terpakai.`} ${note}`
            : video
              ? t`Belum ada kredit yang terpakai. Videomu tersimpan dan terkirim sendiri setelah kreditmu cukup.`
              : t`Belum ada kredit yang terpakai. Fotomu tersimpan dan terkirim sendiri setelah kreditmu cukup.`}
        </StatusCard>
      )
    case 'confirm': {
      const asked = formatNumber(upload.askedPrice ?? 0)
      return (
        <StatusCard
          tone="wait"
          icon={Coins}
          title={t`Harganya sekarang ${asked} kredit`}
          actions={
            <>
              <Button onClick={() => void confirmUpload(upload.id)}>{t`Lanjutkan, ${asked} kredit`}</Button>
              {takeBack}
            </>
          }
        >
          {t`Harga berubah sejak kamu menekan tombol. Belum ada kredit yang terpakai.`} {note}
        </StatusCard>
      )
    }
    case 'refused':
      return (
        <StatusCard
          tone="bad"
          icon={TriangleAlert}
          title={upload.message ?? t`Terjadi kesalahan`}
          actions={
            <>
              {upload.code === 'consent.required' && (
                <Button onClick={() => void consentToUpload(upload.id)}>{t`Beri persetujuan`}</Button>
              )}
              <Button
                variant={upload.code === 'consent.required' ? 'ghost' : 'primary'}
                onClick={() => {
                  void dismissUpload(upload.id)
                  onBack()
                }}
              >
                {video ? t`Kembali ke video` : t`Kembali ke foto`}
              </Button>
            </>
          }
        >
          {t`Tidak ada kredit yang terpakai.`}
        </StatusCard>
      )
    case 'cancelling':
      return <StatusCard tone="busy" icon={Clock} title={t`Membatalkan…`} />
    case 'waiting':
      if (upload.attempts > 0 || !online) {
        return (
          <StatusCard
            tone="wait"
            icon={CloudOff}
            title={t`Menunggu koneksi`}
            actions={
              <>
                <Button variant="soft" onClick={() => void retryUpload(upload.id)}>{t`Kirim sekarang`}</Button>
                {takeBack}
              </>
            }
          >
            {note ??
              (video
                ? t`Videomu aman di perangkat ini dan terkirim sendiri begitu tersambung. Kamu boleh menutup aplikasi.`
                : t`Fotomu aman di perangkat ini dan terkirim sendiri begitu tersambung. Kamu boleh menutup aplikasi.`)}
          </StatusCard>
        )
      }
      return (
        <StatusCard tone="busy" icon={CloudUpload} title={t`Mengunggah`} share={0} actions={takeBack}>
          {note}
        </StatusCard>
      )
    default: {
      const percent = Math.round(progress * 100)
      return (
        <StatusCard tone="busy" icon={CloudUpload} title={t`Mengunggah`} share={progress} actions={takeBack}>
          {percent < 100 ? `${percent}%` : t`Sebentar lagi`}
          {note && <p>{note}</p>}
        </StatusCard>
      )
    }
  }
}
