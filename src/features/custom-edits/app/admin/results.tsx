import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Trash2, Upload } from 'lucide-react'
import { useEffect } from 'react'
import { copyFile } from '#client/device/local-file.ts'
import { formatBytes } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { useSendJob } from '#features/uploads/app/uploads.ts'
import { useChange } from '#ui/admin/queries.ts'
import { IconButton } from '#ui/button.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { Panel, Rows } from '#ui/lists/panel.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { BoardEditDetail } from '../../schemas.ts'
import { editPath } from './api.ts'

/** Delivered when the request is done. */
export function Results({ edit }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const me = useAtomValue(userAtom)
  const { id, results, status, designer, version: newest, user } = edit
  const remove = useChange()
  const add = useSendJob(() => void client.invalidateQueries({ queryKey: ['admin'] }))
  const { problem } = add
  useEffect(() => {
    if (problem !== null) showSnackbar('error', problem)
  }, [problem])
  const send = async (files: File[]) => {
    try {
      const copies = await Promise.all(files.map((file) => copyFile(file)))
      await add.send({
        kind: 'custom_edit_results',
        tool: 'customize-edit',
        params: { request: id },
        price: 0,
        inputs: { files: copies.map((file) => ({ name: file.name, blob: file })) },
      })
    } catch {
      showSnackbar('error', t`Berkas ini tidak bisa dibaca dari perangkatmu. Pilih lagi, ya.`)
    }
  }
  const isOwn = user.id === me?.id
  const working = status === 'in_progress' && !isOwn && (designer?.id === me?.id || me?.role === 'admin')
  return (
    <Panel
      title={t`Hasil`}
      actions={
        working && (
          <FileButton variant="outline" icon={Upload} accept="image/*" multiple busy={add.busy} onFiles={send}>
            {t`Unggah hasil`}
          </FileButton>
        )
      }
    >
      {(add.outcome === 'queuedOffline' || add.outcome === 'memoryOnly') && (
        <p role="status" className="px-4 py-2.5 text-muted text-sm">{t`Menunggu koneksi`}</p>
      )}
      <Rows
        empty={t`Belum ada hasil.`}
        rows={results.map(({ id: file, version, name, width, height, bytes }) => ({
          key: file,
          title: name,
          note: [newest > 1 && t`Versi ${version}`, `${width} × ${height}`, formatBytes(bytes)]
            .filter(Boolean)
            .join(' · '),
          end: working && version === newest && (
            <IconButton
              icon={Trash2}
              label={t`Hapus ${name}`}
              onClick={() => remove.mutate({ path: `${editPath(id)}/results/${file}`, method: 'DELETE' })}
            />
          ),
          below: <PrivatePicture path={`/api/admin/${editPath(id)}/files/${file}`} alt={name} label={t`Lihat`} />,
        }))}
      />
    </Panel>
  )
}
