import { useLingui } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import type { Size } from '#ui/geometry.ts'

/**
 * A still picture or a video on the stage; `children` lie over it, and over a video in place of its
 * controls; `over` over the whole stage.
 */
export function PictureFrame({
  url,
  size,
  alt,
  video = false,
  children,
  over,
}: {
  /** Null while it is not there, or where the browser cannot show it. */
  url: string | null
  size: Size | null
  alt: string
  video?: boolean
  children?: ReactNode
  over?: ReactNode
}) {
  const { t } = useLingui()
  const ratio = size ? size.width / size.height : 4 / 3
  return (
    <div className="stage">
      <div className="stage-fit lg:inset-6">
        <div className="stage-frame" style={{ '--ratio': ratio } as CSSProperties}>
          {url && size && !video && <img src={url} alt={alt} className="absolute inset-0 size-full rounded-lg" />}
          {url && size && video && (
            <video
              src={url}
              aria-label={alt}
              controls={!children}
              muted
              playsInline
              className="absolute inset-0 size-full rounded-lg"
            />
          )}
          {!size && (
            <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-6 text-center text-muted">
              <ImageOff aria-hidden className="size-8" />
              <p className="max-w-64 text-sm">
                {video
                  ? t`Peramban ini tidak bisa memutar formatnya, tapi video tetap bisa diproses.`
                  : t`Peramban ini tidak bisa menampilkan formatnya, tapi foto tetap bisa diproses.`}
              </p>
            </div>
          )}
          {children}
        </div>
      </div>
      {over}
    </div>
  )
}
