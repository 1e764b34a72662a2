import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import { UploadList, useJob } from '#features/uploads/app/uploads.ts'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { isVideo } from '../picture.ts'
import { ArrangedPicture } from './arranged-picture.tsx'
import { DevicePreview, previewShape } from './device-preview.tsx'
import { takesVideo } from './inputs.ts'
import { PictureFrame } from './picture-frame.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioState } from './studio-state.ts'
import { UploadStatus } from './upload-status.tsx'

/** One picture on its way to the server. */
export function UploadStage({
  page,
  id,
  state,
  picture,
  preview,
  onSent,
  onBack,
}: {
  page: AnyToolPage
  id: string
  state: StudioState
  picture: ChosenPicture | undefined
  /** What this device has made of it. */
  preview: DevicePicture | null
  onSent: (generationId: string) => void
  onBack: () => void
}) {
  const { t, i18n } = useLingui()
  const { upload, progress, resultId } = useJob(id)
  const url = useObjectUrl(picture?.original)
  useEffect(() => {
    if (resultId) onSent(resultId)
  }, [resultId, onSent])
  // It left the queue without becoming a generation: cancelled in the upload list or in another
  // tab. The picture goes back to its options.
  const gone = upload === undefined && !resultId
  const takenBack = useEffectEvent(onBack)
  useEffect(() => {
    if (gone) takenBack()
  }, [gone])

  const uploading = upload?.state === 'waiting' || upload?.state === 'sending'
  const working = <div className="working rounded-lg" />
  return (
    <StudioLayout
      heading={i18n._(page.facts.label)}
      actions={<UploadList />}
      stage={
        <ArrangedPicture
          page={page}
          state={state}
          otherwise={
            <PictureFrame
              url={url}
              size={(uploading && previewShape(preview, picture?.size)) || (picture?.size ?? null)}
              video={picture !== undefined && isVideo(picture)}
              alt={takesVideo(page.facts) ? t`Video yang dikirim` : t`Foto yang dikirim`}
            >
              {uploading && (preview ? <DevicePreview picture={preview} /> : working)}
            </PictureFrame>
          }
        >
          {uploading && working}
        </ArrangedPicture>
      }
    >
      {upload ? (
        <UploadStatus upload={upload} progress={progress} facts={page.facts} onBack={onBack} />
      ) : (
        <p role="status" className="text-muted">{t`Sebentar lagi`}</p>
      )}
    </StudioLayout>
  )
}
