import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Trash2, Upload } from 'lucide-react'
import { useEffect, useId } from 'react'
import { errorText } from '#client/errors.ts'
import { formatBytes } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { useSendJob } from '#features/uploads/app/uploads.ts'
import { Panel } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { BoardEditDetail } from '../../types.ts'
import { boardPath } from './api.ts'

/** Finished pictures, which the customer gets once the request is done. */
export function Results({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const input = useId()
  const client = useQueryClient()
  const me = useAtomValue(userAtom)
  const { id, results, status, designer } = request
  const remove = useChange()
  const add = useSendJob(() => void client.invalidateQueries({ queryKey: ['admin'] }))
  const { problem } = add
  useEffect(() => {
    if (problem !== null) showSnackbar('error', typeof problem === 'string' ? problem : errorText(problem))
  }, [problem])
  const send = (files: File[]) =>
    add.send({
      ...{ kind: 'custom_edit_results', tool: 'customize-edit', params: { request: id }, price: 0 },
      inputs: { files: files.map((file) => ({ name: file.name, blob: file })) },
    })
  const working = status === 'in_progress' && (designer?.id === me?.id || me?.role === 'admin')
  return (
    <Panel
      title={t`Hasil`}
      actions={
        working && (
          <label htmlFor={input} className="btn btn-outline border-line" aria-busy={add.busy || undefined}>
            {add.busy ? <span aria-hidden className="loading" /> : <Upload aria-hidden className="size-4" />}
            {t`Unggah hasil`}
          </label>
        )
      }
    >
      <input
        id={input}
        type="file"
        accept="image/*"
        multiple
        className="sr-only"
        disabled={!working || add.busy}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) void send(files)
        }}
      />
      {(add.outcome === 'kept' || add.outcome === 'held') && (
        <p role="status" className="px-4 py-2.5 text-muted text-sm">{t`Menunggu koneksi`}</p>
      )}
      {results.length === 0 && <p className="px-4 py-8 text-center text-muted">{t`Belum ada hasil.`}</p>}
      <ul>
        {results.map(({ id: file, name, width, height, bytes }) => (
          <li key={file} className="grid gap-2 border-line border-b px-4 py-2.5 last:border-0">
            <div className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-semibold">{name}</span>
                <span className="tabular-nums text-muted text-xs">
                  {width} × {height} · {formatBytes(bytes)}
                </span>
              </span>
              {working && (
                <button
                  type="button"
                  className="btn btn-ghost btn-square"
                  aria-label={t`Hapus ${name}`}
                  onClick={() => remove.mutate({ path: `${boardPath}/${id}/results/${file}`, method: 'DELETE' })}
                >
                  <Trash2 aria-hidden className="size-4" />
                </button>
              )}
            </div>
            <PrivatePicture path={`${boardPath}/${id}/files/${file}`} alt={name} label={t`Lihat`} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
