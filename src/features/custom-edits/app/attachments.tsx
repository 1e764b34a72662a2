import { useLingui } from '@lingui/react/macro'
import { ImagePlus, X } from 'lucide-react'
import { type Dispatch, type SetStateAction, useId } from 'react'
import { copyFile } from '#client/device/local-file.ts'
import { imageLimits } from '#shared/media.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

/** `output` is set if the server has it already. */
export interface Attachment {
  id: string
  file: File
  output?: string | undefined
}

function Thumbnail({ file }: { file: File }) {
  return <img src={useObjectUrl(file) ?? ''} alt={file.name} className="size-full object-cover" />
}

export function Attachments({
  value,
  max,
  onChange,
}: {
  value: readonly Attachment[]
  max: number
  onChange: Dispatch<SetStateAction<Attachment[]>>
}) {
  const { t } = useLingui()
  const input = useId()
  const left = max - value.length
  const add = async (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    const pictures = chosen.filter(({ type }) => type.startsWith('image/') || type === '')
    const small = pictures.filter(({ size }) => size > 0 && size <= imageLimits.bytes)
    if (pictures.length < chosen.length) showSnackbar('error', t`Hanya berkas gambar yang diizinkan`)
    else if (small.length < pictures.length) showSnackbar('error', t`Gambar paling besar 25 MB.`)
    else if (small.length > left) showSnackbar('info', t`Paling banyak ${max} gambar.`)
    try {
      const added = await Promise.all(small.slice(0, left).map((file) => copyFile(file)))
      onChange((now) => [...now, ...added.map((file) => ({ id: crypto.randomUUID(), file }))].slice(0, max))
    } catch {
      showSnackbar('error', t`Gambar ini tidak bisa dibaca dari perangkatmu. Pilih lagi, ya.`)
    }
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold text-sm">{t`Gambar, kalau ada (paling banyak ${max})`}</legend>
      <ul className="flex flex-wrap gap-3">
        {value.map(({ id, file }) => (
          <li key={id} className="relative size-24">
            <span className="block size-full overflow-hidden rounded-box border border-line bg-base-200">
              <Thumbnail file={file} />
            </span>
            <button
              type="button"
              className="absolute -top-2.5 -right-2.5 grid size-11 cursor-pointer place-items-center"
              aria-label={t`Hapus ${file.name}`}
              onClick={() => onChange(value.filter((other) => other.id !== id))}
            >
              <span className="grid size-7 place-items-center rounded-full bg-neutral text-neutral-content">
                <X aria-hidden className="size-4" />
              </span>
            </button>
          </li>
        ))}
        {left > 0 && (
          <li>
            <label
              htmlFor={input}
              className="grid size-24 cursor-pointer place-items-center rounded-box border-2 border-line border-dashed text-muted hover:bg-base-200"
            >
              <ImagePlus aria-hidden className="size-6" />
              <span className="sr-only">{t`Tambah gambar`}</span>
            </label>
          </li>
        )}
      </ul>
      <input
        id={input}
        type="file"
        accept="image/*"
        multiple
        className="sr-only"
        onChange={(event) => {
          void add(event.target.files)
          event.target.value = ''
        }}
      />
    </fieldset>
  )
}
