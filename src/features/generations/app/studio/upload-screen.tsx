import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { balanceQuery } from '#features/credits/app/credits.tsx'
import { cancelUpload, dismissUpload, type UploadItem, useJob, useUploadStatus } from '#features/uploads/app/uploads.ts'
import type { DevicePicture } from '#tools/browser/worker-lane.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { TopUpSheet } from '../contributed-parts.tsx'
import { type ChosenPicture, isVideo } from '../picture.ts'
import { takesVideo } from './inputs.ts'
import { StatusCard } from './status-card.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { phaseOf, StudioState } from './studio-state.ts'
import { WaitingPicture } from './waiting-picture.tsx'

export function UploadScreen({
  page,
  state,
  job,
  phase,
  picture,
  preview,
  uploads,
  onBack,
}: {
  page: AnyToolPage
  state: StudioState
  job: string
  phase: ReturnType<typeof phaseOf>
  picture: ChosenPicture | undefined
  preview: DevicePicture | null
  uploads: ReactNode
  onBack: () => void
}) {
  const { t, i18n } = useLingui()
  const { upload, progress } = useJob(job)
  return (
    <StudioLayout
      heading={i18n._(page.definition.label)}
      actions={uploads}
      stage={
        <WaitingPicture
          page={page}
          state={state}
          url={useObjectUrl(picture?.original)}
          size={picture?.size ?? null}
          video={picture !== undefined && isVideo(picture)}
          alt={takesVideo(page.definition) ? t`Video yang dikirim` : t`Foto yang dikirim`}
          working={phase === 'queued' || phase === 'sending'}
          preview={preview}
        />
      }
    >
      {upload ? (
        <UploadCard upload={upload} progress={progress} definition={page.definition} onBack={onBack} />
      ) : (
        <p role="status" className="text-muted">{t`Sebentar lagi`}</p>
      )}
    </StudioLayout>
  )
}

function UploadCard({ upload, progress, definition, onBack }: CardProps) {
  const { t } = useLingui()
  const { text, actions, ...status } = useUploadStatus(upload, progress)
  const leave = (forget: typeof cancelUpload) => () => {
    void forget(upload.id)
    onBack()
  }
  const [toppingUp, setToppingUp] = useState(false)
  const { data: balance } = useQuery({ ...balanceQuery, enabled: upload.state === 'credits' })
  const short = Math.max(1, (upload.askedPrice ?? upload.price) - (balance?.credits ?? 0))
  const back = takesVideo(definition) ? t`Kembali ke video` : t`Kembali ke foto`
  return (
    <StatusCard
      {...status}
      actions={
        upload.state !== 'cancelling' && (
          <>
            {upload.state === 'credits' ? (
              <Button onClick={() => setToppingUp(true)}>{t`Tambah kredit`}</Button>
            ) : (
              actions
            )}
            {toppingUp && (
              <TopUpSheet missing={short} onClose={() => setToppingUp(false)} onPaid={() => setToppingUp(false)} />
            )}
            {upload.state === 'refused' ? (
              <Button variant={actions ? 'ghost' : 'primary'} onClick={leave(dismissUpload)}>
                {back}
              </Button>
            ) : (
              <Button variant="ghost" onClick={leave(cancelUpload)}>{t`Batalkan`}</Button>
            )}
          </>
        )
      }
    >
      {text}
    </StatusCard>
  )
}

interface CardProps {
  upload: UploadItem
  /** Share that has left the device, 0 to 1. */
  progress: number
  definition: AnyToolPage['definition']
  onBack: () => void
}
