import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Image } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { formatNumber } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { toolList } from '#tools/tool-list.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import type { UploadItem } from '../queue/item.ts'
import { cancelUpload, confirmUpload, consentToUpload, dismissUpload, retryUpload } from './queue.ts'
import { refusalText } from './refusal-text.ts'
import { useJob, useMemoryNote, useUploads } from './use-job.ts'

/** Every picture on its way, with what can be done about it. */
export function UploadListSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const uploads = useUploads()
  const online = useAtomValue(onlineAtom)
  const note = useMemoryNote(uploads)
  return (
    <BottomSheet open onClose={onClose} title={t`Unggahan`}>
      {uploads.length === 0 ? (
        <p className="pb-2 text-muted">{t`Semua sudah terkirim.`}</p>
      ) : (
        <>
          {(note || !online) && (
            <p className="mb-4 rounded-field bg-soft px-4 py-3 text-on-soft text-sm leading-relaxed">
              {note ??
                t`Fotomu aman di perangkat ini dan terkirim sendiri begitu tersambung. Kamu boleh menutup aplikasi.`}
            </p>
          )}
          <ul className="grid gap-5">
            {uploads.map((upload) => (
              <Row key={upload.id} upload={upload} online={online} onLeave={onClose} />
            ))}
          </ul>
        </>
      )}
    </BottomSheet>
  )
}

const cancellable: readonly UploadItem['state'][] = ['waiting', 'sending', 'sign_in', 'credits', 'confirm']

/**
 * The upload's small picture; hidden while nobody is signed in, for then anybody may be looking.
 */
function Preview({ blob }: { blob: Blob | null }) {
  const url = useObjectUrl(blob)
  const [broken, setBroken] = useState(false)
  const signedIn = useAtomValue(userAtom) !== null
  return (
    <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-field bg-base-200 text-muted">
      {url && signedIn && !broken ? (
        // A browser that was killed may have lost the picture's bytes.
        <img src={url} alt="" className="size-full object-cover" onError={() => setBroken(true)} />
      ) : (
        <Image aria-hidden className="size-6" />
      )}
    </span>
  )
}

/** The upload's state in a sentence or two. */
function useWords(upload: UploadItem, progress: number, online: boolean): string {
  const { t } = useLingui()
  const percent = formatNumber(Math.round(progress * 100))
  const asked = formatNumber(upload.askedPrice ?? 0)
  const price = formatNumber(upload.price)
  const refusal = refusalText(upload)
  const words: Record<UploadItem['state'], () => string> = {
    waiting: () => {
      if (!online || upload.lastStatus === 0) return t`Menunggu koneksi`
      return upload.attempts > 0 ? t`Server sedang sibuk. Kami coba lagi sebentar lagi.` : t`Sebentar lagi dikirim`
    },
    sending: () => (progress < 1 ? t`Mengirim, ${percent}%` : t`Hampir selesai`),
    sign_in: () => t`Sesimu sudah berakhir. Masuk lagi, lalu foto ini terkirim otomatis.`,
    credits: () => t`Kreditmu belum cukup. Belum ada kredit yang terpakai.`,
    confirm: () => t`Harganya sekarang ${asked} kredit, tadinya ${price}. Belum ada kredit yang terpakai.`,
    refused: () => t`${refusal} Tidak ada kredit yang terpakai.`,
    sent: () =>
      upload.kind === 'custom_edit'
        ? t`Sudah sampai. Desainer kami akan mengerjakannya.`
        : t`Sudah sampai. Hasilnya sedang dibuat.`,
    cancelling: () => t`Sedang dibatalkan`,
  }
  return words[upload.state]()
}

/** One upload: picture, tool, price, state, and what can be done. */
function Row({ upload, online, onLeave }: { upload: UploadItem; online: boolean; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const [path] = useLocation()
  const { progress } = useJob(upload.id)
  const signedIn = useAtomValue(userAtom) !== null
  const words = useWords(upload, progress, online)
  const entry = toolList.find((tool) => tool.id === upload.tool)
  const tool = entry ? i18n._(entry.name) : upload.tool
  const price = formatNumber(upload.price)
  const actions: Partial<Record<UploadItem['state'], ReactNode>> = {
    waiting: upload.attempts > 0 && (
      <Button variant="soft" onClick={() => void retryUpload(upload.id)}>{t`Kirim sekarang`}</Button>
    ),
    sign_in: signedIn ? (
      <Button variant="soft" onClick={() => void retryUpload(upload.id)}>{t`Coba lagi`}</Button>
    ) : (
      <span onClickCapture={onLeave}>
        <LinkButton to="/login" state={{ from: path }}>{t`Masuk lagi`}</LinkButton>
      </span>
    ),
    credits: (
      <>
        <span onClickCapture={onLeave}>
          <LinkButton to="/pricing" state={{ from: path }}>{t`Tambah kredit`}</LinkButton>
        </span>
        <Button variant="soft" onClick={() => void retryUpload(upload.id)}>{t`Coba lagi`}</Button>
      </>
    ),
    confirm: (
      <Button
        onClick={() => void confirmUpload(upload.id)}
      >{t`Lanjutkan, ${formatNumber(upload.askedPrice ?? 0)} kredit`}</Button>
    ),
    refused: (
      <>
        {upload.code === 'consent.required' && (
          <span onClickCapture={onLeave}>
            <Button onClick={() => void consentToUpload(upload.id)}>{t`Beri persetujuan`}</Button>
          </span>
        )}
        <Button variant="soft" onClick={() => void dismissUpload(upload.id)}>{t`Tutup`}</Button>
      </>
    ),
    sent: (
      <span onClickCapture={onLeave}>
        <LinkButton variant="soft" to="/history">{t`Lihat riwayat`}</LinkButton>
      </span>
    ),
  }
  return (
    <li data-state={upload.state} className="grid gap-2">
      <div className="flex items-center gap-3.5">
        <Preview blob={upload.preview} />
        <div className="min-w-0 flex-1">
          <p className="flex items-baseline justify-between gap-3">
            <strong className="truncate">{tool}</strong>
            <span className="shrink-0 text-muted text-sm tabular-nums">{t`${price} kredit`}</span>
          </p>
          <p aria-live="polite" className="text-sm leading-relaxed">
            {words}
          </p>
          {upload.state === 'sending' && (
            <progress className="progress progress-primary mt-1.5 block h-1" value={progress} aria-hidden="true" />
          )}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2 empty:hidden">
        {actions[upload.state]}
        {/* The same button in every state: one that is replaced under a finger swallows the tap. */}
        {cancellable.includes(upload.state) && (
          <Button key="cancel" variant="ghost" onClick={() => void cancelUpload(upload.id)}>{t`Batalkan`}</Button>
        )}
      </div>
    </li>
  )
}
