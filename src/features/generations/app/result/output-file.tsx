import { useLingui } from '@lingui/react/macro'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '#client/format.ts'
import type { OutputView } from '../../types.ts'
import { PictureFrame } from '../studio/picture-frame.tsx'
import { formatName } from './format-name.ts'

/**
 * An output that is no picture: a video plays, anything else is named. `over` lies on it, e.g.
 * while it is made anew.
 */
export function OutputFile({ file, over }: { file: OutputView; over?: ReactNode }) {
  const { t } = useLingui()
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
