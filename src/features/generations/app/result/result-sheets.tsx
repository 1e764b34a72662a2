import { msg } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { ReasonSheet } from '#ui/reason-sheet.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { instantRefundDays, maxInstantRefunds, refundReasonMax, refundRequestHours } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'
import { deleteGeneration, refundMutation } from '../queries.ts'
import { designerToolId, type useContinueInTool } from './use-continue-in-tool.tsx'

const detailsMax = refundReasonMax - 80

export function RefundSheet({
  generation,
  continueIn,
  onClose,
}: {
  generation: GenerationView
  /** Null if the result is not a picture. */
  continueIn: ReturnType<typeof useContinueInTool> | null
  onClose: () => void
}) {
  const { t } = useLingui()
  const refund = useMutation(refundMutation(useQueryClient(), generation))
  const other = t`Lainnya`
  const reasons = [
    t`Tepinya tidak rapi`,
    t`Ada bagian yang hilang atau tertinggal`,
    t`Wajah atau bentuknya berubah`,
    t`Gambarnya buram atau rusak`,
    other,
  ]
  return (
    <ReasonSheet
      title={t`Apa yang kurang?`}
      intro={
        <>
          <Plural
            value={generation.credits}
            other={`# kredit kembali ke saldomu, dan hasilnya dihapus: tidak bisa diunduh atau diubah lagi. Bisa dipakai sekali untuk tiap hasil, dalam ${refundRequestHours} jam setelah jadi.`}
          />{' '}
          {t`Setelah ${maxInstantRefunds} kali dalam ${instantRefundDays} hari, kami periksa dulu; hasilnya tetap ada sampai kami putuskan.`}
        </>
      }
      question={t`Apa yang kurang?`}
      reasons={Object.fromEntries(reasons.map((text) => [text, text]))}
      other={other}
      details={{ max: detailsMax, missing: msg`Ceritakan apa yang kurang, ya.` }}
      action={t`Minta kredit kembali`}
      onSend={async (reason, details) => {
        const { status } = await refund.mutateAsync(details === '' ? reason : `${reason}: ${details}`)
        if (status === 'refunded') showSnackbar('success', t`Kreditmu sudah kembali`)
        else showSnackbar('info', t`Permintaan kreditmu kami periksa dulu`)
      }}
      onClose={onClose}
    >
      {continueIn && (
        <Button variant="ghost" busy={continueIn.isPending} onClick={() => continueIn.mutate(designerToolId)}>
          {t`Biar desainer yang merapikan`}
        </Button>
      )}
    </ReasonSheet>
  )
}

export function DeleteSheet({
  generation,
  onClose,
  onDeleted,
}: {
  generation: GenerationView
  onClose: () => void
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const remove = useAction(async () => {
    await deleteGeneration(client, generation.id)
    onDeleted()
  }, t`Foto dan hasilnya sudah dihapus`)
  return (
    <BottomSheet open onClose={onClose} title={t`Hapus hasil ini?`}>
      <p className="text-muted leading-relaxed">
        {t`Foto asli dan hasilnya dihapus selamanya dari server. Ini tidak bisa dibatalkan.`}
      </p>
      <div className="mt-5 grid gap-2.5">
        <Button size="lg" variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Hapus selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </BottomSheet>
  )
}
