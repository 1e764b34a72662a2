import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { onlineAtom } from '#client/connection.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { useMemoryNote } from './memory-note.ts'
import { UploadListRow } from './upload-list-row.tsx'
import { useUploads } from './use-job.ts'

/** Every picture on its way, with what can be done about it. */
export function UploadListSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const uploads = useUploads()
  const online = useAtomValue(onlineAtom)
  const note = useMemoryNote(uploads)
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Unggahan`}>
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
              <UploadListRow key={upload.id} upload={upload} online={online} onLeave={onClose} />
            ))}
          </ul>
        </>
      )}
    </BottomSheet>
  )
}
