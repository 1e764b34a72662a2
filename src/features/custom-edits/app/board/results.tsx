import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Trash2, Upload } from 'lucide-react'
import { useId } from 'react'
import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { formatBytes } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { BoardEditDetail } from '../../types.ts'
import { boardPath, uploadResult, useBoardAction } from './api.ts'

/** Finished pictures, which the customer gets once the request is done. */
export function Results({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const input = useId()
  const client = useQueryClient()
  const me = useAtomValue(userAtom)
  const { id, results, status, designer } = request
  const remove = useBoardAction()
  const add = useMutation({
    mutationFn: async (files: File[]) => {
      const uploads: string[] = []
      for (const file of files) uploads.push(await uploadResult(file))
      await apiFetch(`${boardPath}/${id}/results`, { json: { files: uploads.map((upload) => ({ upload })) } })
    },
    onError: (error) => showSnackbar('error', errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
  const working = status === 'in_progress' && (designer?.id === me?.id || me?.role === 'admin')
  return (
    <section className="adm-panel">
      <header>
        <h2>{t`Hasil`}</h2>
        {working && (
          <label htmlFor={input} className="btn btn-outline border-line" aria-busy={add.isPending || undefined}>
            {add.isPending ? <span aria-hidden className="loading" /> : <Upload aria-hidden className="size-4" />}
            {t`Unggah hasil`}
          </label>
        )}
      </header>
      <input
        id={input}
        type="file"
        accept="image/*"
        multiple
        className="sr-only"
        disabled={!working || add.isPending}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) add.mutate(files)
        }}
      />
      {results.length === 0 && <p className="px-4 py-8 text-center text-muted">{t`Belum ada hasil.`}</p>}
      <ul>
        {results.map(({ id: file, name, width, height, bytes }) => (
          <li key={file} className="grid gap-2 border-line border-b px-4 py-2.5 last:border-0">
            <div className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-semibold">{name}</span>
                <span className="adm-num text-muted text-xs">
                  {width} × {height} · {formatBytes(bytes)}
                </span>
              </span>
              {working && (
                <button
                  type="button"
                  className="btn btn-ghost btn-square"
                  aria-label={t`Hapus ${name}`}
                  onClick={() => remove.mutate({ path: `${id}/results/${file}`, method: 'DELETE' })}
                >
                  <Trash2 aria-hidden className="size-4" />
                </button>
              )}
            </div>
            <PrivatePicture path={`${boardPath}/${id}/files/${file}`} alt={name} label={t`Lihat`} />
          </li>
        ))}
      </ul>
    </section>
  )
}
