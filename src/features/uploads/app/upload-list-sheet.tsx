import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Image } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { allToolEntries } from '#tools/tool-list.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { restoreFocusTo } from '#ui/restore-focus.ts'
import type { UploadItem } from '#upload-queue/store.ts'
import { cancelUpload, dismissUpload } from './queue.ts'
import { OpenQueueButton, SaveQueueButton } from './queue-archive-buttons.tsx'
import { useUploadStatus } from './upload-status.tsx'
import { useJob, useUploads } from './use-job.ts'

export function UploadListSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const uploads = useUploads()
  return (
    <BottomSheet open onClose={onClose} title={t`Unggahan`}>
      {uploads.length === 0 ? (
        <p className="pb-2 text-muted">{t`Tidak ada lagi yang menunggu dikirim.`}</p>
      ) : (
        <ul className="grid gap-5">
          {uploads.map((upload) => (
            <Row key={upload.id} upload={upload} onLeave={onClose} />
          ))}
        </ul>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {uploads.length > 0 && <SaveQueueButton />}
        <OpenQueueButton />
      </div>
    </BottomSheet>
  )
}

/** Focus target after a row is removed: the sheet's first button, which closes it. */
const closeButton = () => document.querySelector<HTMLElement>('dialog[open] button')

const cancellable: readonly UploadItem['state'][] = [
  'waiting',
  'sending',
  'sign_in',
  'credits',
  'confirm',
  'unreadable',
]

/** Hidden while signed out, since anyone may be looking. */
function Preview({ blob }: { blob: Blob | null }) {
  const url = useObjectUrl(blob)
  const [broken, setBroken] = useState(false)
  const signedIn = useAtomValue(userAtom) !== null
  return (
    <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-field bg-base-200 text-muted">
      {url && signedIn && !broken ? (
        // A killed browser may have lost the picture's bytes.
        <img src={url} alt="" className="size-full object-cover" onError={() => setBroken(true)} />
      ) : (
        <Image aria-hidden className="size-6" />
      )}
    </span>
  )
}

function Row({ upload, onLeave }: { upload: UploadItem; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const { progress } = useJob(upload.id)
  const { title, text, share, actions } = useUploadStatus(upload, progress)
  const entry = allToolEntries.find((tool) => tool.id === upload.tool)
  const tool = entry ? i18n._(entry.name) : upload.tool
  const price = formatNumber(upload.price)
  return (
    <li data-state={upload.state} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3.5">
        <Preview blob={upload.preview} />
        <div className="min-w-[min(9rem,100%)] flex-1">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <strong className="min-w-0">{tool}</strong>
            <span className="shrink-0 text-muted text-sm tabular-nums">{t`${price} kredit`}</span>
          </p>
          <div aria-live="polite" className="text-sm leading-relaxed">
            <p className="font-medium">{title}</p>
            <p className="text-muted">{text}</p>
          </div>
          {share !== undefined && (
            <progress className="progress progress-primary mt-1.5 block h-1" value={share} aria-hidden="true" />
          )}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2 empty:hidden">
        <span
          className="contents"
          // Leaves after the click: without its link, the router would miss it, and the app reload.
          onClickCapture={({ target }) =>
            (upload.state === 'refused' || (target as Element).closest('a')) && setTimeout(onLeave)
          }
        >
          {actions}
          {upload.state === 'sent' && <LinkButton variant="soft" to="/history">{t`Lihat riwayat`}</LinkButton>}
        </span>
        {upload.state === 'refused' && (
          <Button
            ref={restoreFocusTo(closeButton)}
            variant="soft"
            onClick={() => void dismissUpload(upload.id)}
          >{t`Tutup`}</Button>
        )}
        {/* The same button in every state: one that is replaced under a finger swallows the tap. */}
        {cancellable.includes(upload.state) && (
          <Button
            key="cancel"
            ref={restoreFocusTo(closeButton)}
            variant="ghost"
            onClick={() => void cancelUpload(upload.id)}
          >{t`Batalkan`}</Button>
        )}
      </div>
    </li>
  )
}
