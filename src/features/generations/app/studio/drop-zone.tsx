import { useLingui } from '@lingui/react/macro'
import { Camera, ImageUp } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#app/ui/button.tsx'
import { CutOutIllustration } from './cut-out-illustration.tsx'
import { loadSample, type Sample, samples } from './samples.ts'

/** The empty studio: camera, gallery, drag, paste, or an example. */
export function DropZone({
  over,
  inputId,
  onFiles,
  onSampleFailed,
}: {
  /** Something is being dragged over the page. */
  over: boolean
  inputId: string
  onFiles: (files: File[]) => void
  onSampleFailed: () => void
}) {
  const { t, i18n } = useLingui()
  const camera = useId()
  const open = (id: string) => document.getElementById(id)?.click()
  const take = (sample: Sample) => {
    loadSample(sample).then((file) => onFiles([file]), onSampleFailed)
  }
  return (
    <section aria-label={t`Pilih foto`} className="grid gap-6">
      <div
        className="drop-zone grid justify-items-center gap-5 px-6 py-9 text-center md:py-14"
        data-over={over || undefined}
      >
        <CutOutIllustration className="w-44 md:w-56" />
        <div className="flex w-full max-w-xs flex-col gap-2.5">
          <Button size="lg" icon={<ImageUp aria-hidden className="size-5" />} onClick={() => open(inputId)}>
            {t`Pilih foto`}
          </Button>
          <Button
            variant="ghost"
            className="pointer-fine:hidden"
            icon={<Camera aria-hidden className="size-5" />}
            onClick={() => open(camera)}
          >
            {t`Ambil dengan kamera`}
          </Button>
          <input
            id={camera}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </div>
        <p className="text-sm text-muted">
          <span className="pointer-coarse:hidden">{t`Seret foto ke sini, atau tempel dengan Ctrl + V.`} </span>
          {t`JPG, PNG, atau WebP sampai 25 MB.`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="text-sm font-medium text-muted">{t`Belum ada foto? Coba contoh ini:`}</p>
        <ul className="flex gap-3">
          {samples.map((sample) => (
            <li key={sample.id}>
              <button
                type="button"
                className="block size-16 cursor-pointer overflow-hidden rounded-2xl shadow-card transition-transform active:scale-95"
                aria-label={i18n._(sample.name)}
                onClick={() => take(sample)}
              >
                <img src={sample.url} alt="" width={64} height={64} className="size-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
