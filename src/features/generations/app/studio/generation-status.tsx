import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, Clock, ScanSearch, Sparkles, TriangleAlert } from 'lucide-react'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView } from '../../types.ts'
import { statusLabels } from '../labels.ts'
import { cancelMutation } from '../queries.ts'
import type { GenerationProps } from './generation-props.ts'
import { takesVideo } from './inputs.ts'
import { RemainingTime } from './remaining-time-text.tsx'
import { StatusCard } from './status-card.tsx'

/** Where a generation stands that has no result (yet). */
export function GenerationStatus({
  page,
  generation,
  onTryAgain,
  onStartAgain,
}: GenerationProps & { generation: GenerationView }) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const cancel = useMutation(cancelMutation(client))
  const { status, position, progress, error } = generation
  const title = i18n._(statusLabels(generation))
  const video = takesVideo(page.definition)

  if (status === 'failed' || status === 'cancelled') {
    const recovery = page.recovery?.[error?.code ?? '']
    const mayGoWell = status === 'cancelled' || passing.includes(error?.code ?? '')
    const sameAgain = video ? t`Coba lagi dengan video ini` : t`Coba lagi dengan foto ini`
    return (
      <StatusCard
        {...(status === 'failed' ? { tone: 'bad', icon: TriangleAlert } : { tone: 'wait', icon: Ban })}
        title={title}
        actions={
          <>
            {onTryAgain && (
              <Button onClick={() => onTryAgain(recovery)}>
                {recovery ? i18n._(recovery.label) : mayGoWell ? sameAgain : t`Ubah pilihannya`}
              </Button>
            )}
            <Button variant={onTryAgain ? 'ghost' : 'primary'} onClick={onStartAgain}>
              {video ? t`Pilih video lain` : t`Pilih foto lain`}
            </Button>
          </>
        }
      >
        {error && <p>{error.msg}</p>}
        <p className="font-medium text-base-content">
          {generation.credits > 0 ? (
            <Plural
              value={generation.credits}
              one="# kredit sudah kembali ke saldomu."
              other="# kredit sudah kembali ke saldomu."
            />
          ) : (
            t`Tidak ada kredit yang terpakai.`
          )}
        </p>
      </StatusCard>
    )
  }
  const queued = status === 'queued'
  const ahead =
    position !== null &&
    (video ? (
      <Plural value={position} one="# video lagi di depanmu." other="# video lagi di depanmu." />
    ) : (
      <Plural value={position} one="# foto lagi di depanmu." other="# foto lagi di depanmu." />
    ))
  return (
    <StatusCard
      tone="busy"
      icon={queued ? Clock : status === 'detecting' ? ScanSearch : Sparkles}
      title={title}
      share={queued ? undefined : progress}
      actions={
        <Button
          variant="ghost"
          busy={cancel.isPending}
          onClick={() => cancel.mutate(generation.id, { onError: (error) => showSnackbar('error', errorText(error)) })}
        >
          {t`Batalkan`}
        </Button>
      }
    >
      {queued && (position ? ahead : t`Sebentar lagi giliranmu.`)}
      {!queued && (
        <>
          <RemainingTime progress={progress} />
          {t`Kamu boleh menutup halaman ini. Hasilnya ada di Riwayat.`}
        </>
      )}
    </StatusCard>
  )
}

/** Failures that say nothing about the picture: the same may go well the next time. */
const passing = ['engine.crashed', 'engine.failed', 'engine.timeout', 'server.error', 'server.unavailable']
