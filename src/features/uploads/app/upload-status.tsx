import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { CircleCheck, Clock, CloudOff, CloudUpload, Coins, ImageUp, LogIn, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { formatNumber } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { Button, type Icon, LinkButton } from '#ui/button.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { filesOf, type UploadItem, type UploadState } from '#upload-queue/store.ts'
import { chooseAgain, confirmUpload, consentToUpload, isRequestable, retryUpload } from './queue.ts'
import { refusalText, useMemoryNote } from './use-job.ts'

interface UploadStatus {
  tone: 'busy' | 'bad' | 'wait'
  icon: Icon
  title: string
  text?: ReactNode
  /** 0 to 1. */
  share?: number
  actions?: ReactNode
}

/** Without Background Sync the queue continues only in an open page. */
const sendsWhenClosed = () => 'SyncManager' in window && navigator.serviceWorker?.controller != null

export function useUploadStatus(upload: UploadItem, progress: number): UploadStatus {
  const { t } = useLingui()
  const [path] = useLocation()
  const online = useAtomValue(onlineAtom)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const note = useMemoryNote([upload])
  const { id, attempts, lastStatus } = upload
  const asked = formatNumber(upload.askedPrice ?? 0)
  const percent = formatNumber(Math.round(progress * 100))
  const again = (label: string) => (
    <Button variant="soft" onClick={() => void retryUpload(id)}>
      {label}
    </Button>
  )
  const uploading = { tone: 'busy', icon: CloudUpload, title: t`Mengunggah` } as const
  const closable = t`Tersimpan aman di perangkat ini dan terkirim sendiri. Kamu boleh menutup aplikasi.`
  const unreached = !online || lastStatus === 0
  const held = (): UploadStatus => ({
    tone: 'wait',
    icon: CloudOff,
    title: unreached ? t`Menunggu koneksi` : t`Server sedang sibuk`,
    text:
      note ??
      (sendsWhenClosed()
        ? closable
        : t`Tersimpan aman di perangkat ini. Terkirim sendiri begitu Rupa terbuka dan ada koneksi.`),
    // Offline it could do nothing.
    actions: online && again(t`Kirim sekarang`),
  })
  const statuses: Record<UploadState, () => UploadStatus> = {
    waiting: () => (attempts === 0 && online ? { ...uploading, share: 0, text: note ?? t`Segera dikirim` } : held()),
    sending: () =>
      online
        ? {
            ...uploading,
            share: progress,
            text: [progress < 1 ? `${percent}%` : t`Hampir selesai`, note].filter(Boolean).join(' '),
          }
        : held(),
    sign_in: () => ({
      tone: 'wait',
      icon: LogIn,
      title: t`Masuk lagi untuk mengirim`,
      text: note ?? t`Sesimu sudah berakhir. Berkasmu tersimpan dan terkirim sendiri setelah kamu masuk.`,
      actions: signedIn ? again(t`Coba lagi`) : <LinkButton to="/login" state={{ from: path }}>{t`Masuk`}</LinkButton>,
    }),
    credits: () => ({
      tone: 'wait',
      icon: Coins,
      title: t`Kreditmu belum cukup`,
      text: note
        ? `${t`Tidak ada kredit yang terpakai.`} ${note}`
        : t`Belum ada kredit yang terpakai. Berkasmu tersimpan dan terkirim sendiri setelah kreditmu cukup.`,
      actions: (
        <>
          <LinkButton to="/pricing" state={{ from: path }}>{t`Tambah kredit`}</LinkButton>
          {again(t`Coba lagi`)}
        </>
      ),
    }),
    confirm: () => ({
      tone: 'wait',
      icon: Coins,
      title: t`Harganya sekarang ${asked} kredit`,
      text: `${t`Harga berubah sejak kamu menekan tombol. Belum ada kredit yang terpakai.`} ${note ?? ''}`,
      actions: <Button onClick={() => void confirmUpload(id)}>{t`Lanjutkan, ${asked} kredit`}</Button>,
    }),
    refused: () => ({
      tone: 'bad',
      icon: TriangleAlert,
      title: refusalText(upload),
      text: t`Tidak ada kredit yang terpakai.`,
      actions: isRequestable(upload.code) && (
        <Button onClick={() => void consentToUpload(id, upload.code ?? '')}>
          {upload.code?.startsWith('consent.') ? t`Beri persetujuan` : t`Lanjutkan`}
        </Button>
      ),
    }),
    unreadable: () => ({
      tone: 'bad',
      icon: ImageUp,
      title: t`Pilih berkasnya lagi`,
      text: t`Berkas ini berubah, terhapus, atau tidak bisa dibaca lagi di perangkat ini. Tidak ada kredit yang terpakai.`,
      actions: filesOf(upload)
        .filter(({ lost }) => lost)
        .map(({ index, name }) => (
          <FileButton key={index} variant="soft" onFiles={([file]) => file && void chooseAgain(id, index, file)}>
            {t`Pilih ${name}`}
          </FileButton>
        )),
    }),
    sent: () => ({
      tone: 'busy',
      icon: CircleCheck,
      title: t`Sudah sampai`,
      text: upload.kind === 'generation' ? t`Hasilnya sedang dibuat.` : t`Desainer kami akan mengerjakannya.`,
    }),
    cancelling: () => ({ tone: 'busy', icon: Clock, title: t`Sedang dibatalkan` }),
  }
  return statuses[upload.state]()
}
