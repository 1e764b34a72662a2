import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, Clock, ScanFace, Sparkles, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView } from '../../types.ts'
import { statusLabels } from '../labels.ts'
import { cancelMutation } from '../queries.ts'
import { takesVideo } from './inputs.ts'
import { RemainingTime } from './remaining-time-text.tsx'
import { StatusCard } from './status-card.tsx'

/** Where a generation stands that has no result (yet). */
export function GenerationStatus({
  page,
  generation,
  again,
}: {
  page: AnyToolPage
  generation: GenerationView
  again: ReactNode
}) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const cancel = useMutation(cancelMutation(client))
  const title = i18n._(statusLabels(generation))

  if (generation.status === 'failed' || generation.status === 'cancelled') {
    const failed = generation.status === 'failed'
    return (
      <StatusCard tone={failed ? 'bad' : 'wait'} icon={failed ? TriangleAlert : Ban} title={title} actions={again}>
        {generation.error && <p>{generation.error.msg}</p>}
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
  const { position } = generation
  return (
    <StatusCard
      tone="busy"
      icon={generation.status === 'queued' ? Clock : generation.status === 'detecting' ? ScanFace : Sparkles}
      title={title}
      share={generation.status === 'queued' ? undefined : generation.progress}
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
      {generation.status === 'queued' &&
        position !== null &&
        position > 0 &&
        (takesVideo(page.facts) ? (
          <Plural value={position} one="# video lagi di depanmu." other="# video lagi di depanmu." />
        ) : (
          <Plural value={position} one="# foto lagi di depanmu." other="# foto lagi di depanmu." />
        ))}
      {generation.status === 'queued' && !position && t`Sebentar lagi giliranmu.`}
      {generation.status !== 'queued' && (
        <>
          <RemainingTime progress={generation.progress} />
          {t`Kamu boleh menutup halaman ini. Hasilnya ada di Riwayat.`}
        </>
      )}
    </StatusCard>
  )
}
