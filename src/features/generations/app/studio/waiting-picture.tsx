import { useLingui } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import { type CSSProperties, type ReactNode, Suspense } from 'react'
import type { DevicePicture } from '#tools/browser/worker-lane.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { useBetterModel } from '#tools/ui/tools-query.ts'
import type { Size } from '#ui/geometry.ts'
import type { StudioState } from './studio-state.ts'
import { usePhotoCheck } from './use-photo-check.ts'
import { useToolStage } from './use-tool-stage.ts'

interface WaitingPictureProps {
  page: AnyToolPage
  /** Arranged pictures are shown arranged. */
  state: StudioState | null
  url: string | null
  size: Size | null
  alt: string
  video?: boolean
  working: boolean
  preview: DevicePicture | null
}

export function WaitingPicture({ preview, ...props }: WaitingPictureProps) {
  const { page, state, working, size, ...picture } = props
  const progressLight = working && <div className="working rounded-lg" />
  const plainPicture = (
    <PictureFrame size={(working && preview && previewShape(preview, size)) || size} {...picture}>
      {working && preview ? <DevicePreview page={page} picture={preview} /> : progressLight}
    </PictureFrame>
  )
  if (!state || !page.stage?.frame) return plainPicture
  return (
    <ArrangedPicture page={page} state={state} whenInactive={plainPicture}>
      {progressLight}
    </ArrangedPicture>
  )
}

/** Null where the preview has its picture's shape; cropping changes it. */
function previewShape(preview: Size, picture: Size | null): Size | null {
  if (!picture) return null
  return Math.abs(preview.width / preview.height - picture.width / picture.height) < 0.02 ? picture : preview
}

export function DevicePreview({ page, picture }: { page: AnyToolPage; picture: DevicePicture }) {
  const { t } = useLingui()
  const better = useBetterModel(page)
  const url = useObjectUrl(picture.blob)
  return (
    <>
      <div className="checker absolute inset-0 animate-[fade_0.6s_ease-out] rounded-lg *:absolute *:inset-0 *:size-full">
        {url && <img src={url} alt={t`Pratinjau hasil`} draggable={false} />}
      </div>
      <div className="compare-tags">
        <span className="compare-tag">
          {better ? t`Pratinjau; hasilnya dari model yang lebih baik` : t`Pratinjau di perangkat ini`}
        </span>
      </div>
    </>
  )
}

const readOnlyChoice = { add: () => undefined, remove: () => undefined, move: () => undefined }

function ArrangedPicture({
  page,
  state,
  whenInactive,
  children,
}: {
  page: AnyToolPage
  state: StudioState
  whenInactive: ReactNode
  children: ReactNode
}) {
  const { found } = usePhotoCheck(page, state)
  const stage = useToolStage(page, state, { check: found, choice: readOnlyChoice, dispatch: () => undefined })
  if (!stage?.active) return whenInactive
  const Stage = stage.component
  return (
    <PictureFrame url={null} size={stage.frame} alt="">
      <div inert className="absolute inset-0">
        <Suspense fallback={null}>
          <Stage {...stage.props} picture={null} pictureUrl={null} />
        </Suspense>
      </div>
      {children}
    </PictureFrame>
  )
}

/** `children` cover the picture (instead of a video's controls), `over` the whole stage. */
export function PictureFrame({
  url,
  size,
  alt,
  video = false,
  children,
  over,
}: {
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
