import { useLingui } from '@lingui/react/macro'
import { Camera, FileVideo, ImageUp, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { FileButton } from '#ui/file-button.tsx'
import { loadSample, type Sample, samples } from './samples.ts'

/** The empty studio: camera, gallery, drag, paste, or an example. */
export function DropZone({
  picture,
  over,
  accept,
  multiple,
  video,
  examples,
  onFiles,
  onSampleFailed,
}: {
  /** What the tool makes. */
  picture: ReactNode
  /** Something is being dragged over the page. */
  over: boolean
  accept: string
  multiple: boolean
  /** The tool takes a video instead of pictures. */
  video: boolean
  /** Our own examples are offered. */
  examples: boolean
  onFiles: (files: File[]) => void
  onSampleFailed: () => void
}) {
  const { t } = useLingui()
  const [Upload, Record] = video ? [FileVideo, Video] : [ImageUp, Camera]
  return (
    <section
      aria-label={video ? t`Pilih video` : t`Pilih foto`}
      className="grid grid-cols-1 gap-6 lg:h-full lg:grid-rows-[1fr_auto]"
    >
      <div
        className="drop-zone grid grid-cols-1 place-content-center justify-items-center gap-5 text-balance px-6 py-9 text-center md:py-14 on-side:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] on-side:items-center on-side:gap-x-5 on-side:gap-y-3 on-side:p-5"
        data-over={over || undefined}
      >
        {picture}
        <div className="flex w-full max-w-xs flex-col gap-2.5">
          <FileButton
            size="lg"
            icon={<Upload aria-hidden className="size-5" />}
            accept={accept}
            multiple={multiple}
            onFiles={onFiles}
          >
            {video ? t`Pilih video` : t`Pilih foto`}
          </FileButton>
          <FileButton
            variant="ghost"
            className="pointer-fine:hidden"
            icon={<Record aria-hidden className="size-5" />}
            accept={video ? 'video/*' : 'image/*'}
            capture="environment"
            onFiles={onFiles}
          >
            {video ? t`Rekam dengan kamera` : t`Ambil dengan kamera`}
          </FileButton>
        </div>
        <p className="text-sm text-muted">
          <span className="pointer-coarse:hidden">
            {video ? t`Seret video ke sini.` : t`Seret foto ke sini, atau tempel dengan Ctrl + V.`}{' '}
          </span>
          {video ? t`MP4, MOV, atau WebM sampai 60 detik dan 100 MB.` : t`JPG, PNG, atau WebP sampai 25 MB.`}
        </p>
      </div>
      {examples && <Samples onFiles={onFiles} onFailed={onSampleFailed} />}
    </section>
  )
}

/** Photographs to try the tool with. */
function Samples({ onFiles, onFailed }: { onFiles: (files: File[]) => void; onFailed: () => void }) {
  const { t, i18n } = useLingui()
  const take = (sample: Sample) => {
    loadSample(sample).then((file) => onFiles([file]), onFailed)
  }
  return (
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
  )
}
