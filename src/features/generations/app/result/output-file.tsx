import { useLingui } from '@lingui/react/macro'
import { FileText } from 'lucide-react'
import { formatBytes } from '#client/format.ts'
import type { OutputView } from '../../types.ts'
import { RemainingTime } from '../studio/remaining-time.tsx'
import { PictureFrame } from '../studio/waiting-picture.tsx'
import { formatName } from './format-name.ts'

/**
 * An output that is no picture: a video plays, anything else is named. `progress` tells how far it
 * is while it is made anew; null while it is not.
 */
export function OutputFile({ file, progress }: { file: OutputView; progress: number | null }) {
  const { t } = useLingui()
  const over = progress !== null && <RerenderProgress progress={progress} />
  if (file.contentType.startsWith('video/')) {
    return (
      <PictureFrame url={null} size={file} alt="" over={over}>
        {/* biome-ignore lint/a11y/useMediaCaption: it is somebody's own video */}
        <video
          src={file.url}
          controls
          playsInline
          className="checker absolute inset-0 size-full rounded-lg"
          aria-label={t`Hasil edit`}
        />
      </PictureFrame>
    )
  }
  return (
    <div className="stage relative grid place-content-center justify-items-center gap-3 p-6 text-center">
      <FileText aria-hidden className="size-16 text-primary" />
      <p className="font-semibold">{file.name}</p>
      <p className="text-muted text-sm">
        {formatName(file.contentType)}, {formatBytes(file.bytes)}
      </p>
      {over}
    </div>
  )
}

/** What takes its time to be rendered again, over the result that is still there. */
function RerenderProgress({ progress }: { progress: number }) {
  const { t } = useLingui()
  const label = t`Memasang latar baru, gratis…`
  return (
    <div className="absolute inset-x-4 bottom-4 mx-auto grid max-w-md gap-2 rounded-box bg-base-100 px-4 py-3 text-left text-sm shadow-card">
      <p role="status" className="font-semibold">
        {label}
      </p>
      <progress className="progress progress-primary" value={progress} max={1} aria-label={label} />
      <RemainingTime progress={progress} />
    </div>
  )
}
