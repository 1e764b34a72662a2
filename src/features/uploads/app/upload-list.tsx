import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { CloudUpload } from 'lucide-react'
import { useState } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { firstControl, restoreFocusTo } from '#ui/restore-focus.ts'
import { needsUserAction, useUploads } from './use-job.ts'

export const UploadListSheet = lazyWithTexts(() => import('./upload-list-sheet.tsx'), 'UploadListSheet', null)

export function UploadList() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <UploadListButton onOpen={() => setOpen(true)} />
      {open && <UploadListSheet onClose={() => setOpen(false)} />}
    </>
  )
}

export function UploadListButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui()
  const uploads = useUploads()
  const online = useAtomValue(onlineAtom)
  const count = uploads.filter(({ state }) => state !== 'sent').length
  const questions = uploads.filter(needsUserAction).length
  if (count === 0) return null
  const label =
    questions > 0
      ? t`Unggahan: ${count}, ${questions} menunggu kamu`
      : online
        ? t`Unggahan: ${count}`
        : t`Unggahan: ${count}, menunggu koneksi`
  return (
    <button
      ref={restoreFocusTo(firstControl)}
      type="button"
      className="btn btn-circle btn-soft btn-primary relative [--size:min(2.75rem,48px)]"
      aria-haspopup="dialog"
      aria-label={label}
      onClick={onOpen}
    >
      <CloudUpload aria-hidden className="size-5" />
      <span
        aria-hidden="true"
        className="badge badge-primary badge-sm absolute -top-0.5 -right-0.5 size-[min(1.25rem,24px)] rounded-full px-0 font-bold text-[min(0.75rem,14px)]"
      >
        {questions > 0 ? '!' : count}
      </span>
    </button>
  )
}
