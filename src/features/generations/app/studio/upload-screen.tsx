import { useLingui } from '@lingui/react/macro'
import { type Job, UploadList } from '#features/uploads/app/uploads.ts'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { isVideo } from '../picture.ts'
import { takesVideo } from './inputs.ts'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioState } from './studio-state.ts'
import { UploadStatus } from './upload-status.tsx'
import { WaitingPicture } from './waiting-picture.tsx'

/** One picture on its way to the server. */
export function UploadScreen({
  page,
  state,
  job: { upload, progress },
  picture,
  preview,
  onBack,
}: {
  page: AnyToolPage
  state: StudioState
  job: Job
  picture: ChosenPicture | undefined
  preview: DevicePicture | null
  /** Back to the picture and its options. */
  onBack: () => void
}) {
  const { t, i18n } = useLingui()
  return (
    <StudioLayout
      heading={i18n._(page.definition.label)}
      actions={<UploadList />}
      stage={
        <WaitingPicture
          page={page}
          state={state}
          url={useObjectUrl(picture?.original)}
          size={picture?.size ?? null}
          video={picture !== undefined && isVideo(picture)}
          alt={takesVideo(page.definition) ? t`Video yang dikirim` : t`Foto yang dikirim`}
          working={upload?.state === 'waiting' || upload?.state === 'sending'}
          preview={preview}
        />
      }
    >
      {upload ? (
        <UploadStatus upload={upload} progress={progress} definition={page.definition} onBack={onBack} />
      ) : (
        <p role="status" className="text-muted">{t`Sebentar lagi`}</p>
      )}
    </StudioLayout>
  )
}
