import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useBusy } from '#client/busy.ts'
import { errorText } from '#client/errors.ts'
import { FormProblem } from '#ui/form.tsx'
import type { OrderView } from '../types.ts'
import { reportTransfer } from './api.ts'
import { rememberOrder } from './queries.ts'

/** The buyer says that he transferred, with a picture that proves it. */
export function TransferProof({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const id = useId()
  const client = useQueryClient()
  const report = useMutation({
    mutationFn: (proof: File) => reportTransfer(order.id, proof),
    onSuccess: (reported) => rememberOrder(client, reported),
  })
  useBusy(report.isPending)
  return (
    <div className="grid gap-2">
      <p className="text-sm leading-relaxed">{t`Sudah transfer? Kirim foto atau tangkapan layar buktinya. Kredit masuk setelah kami periksa.`}</p>
      <label
        htmlFor={id}
        aria-busy={report.isPending || undefined}
        className="btn btn-primary btn-lg w-full has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
      >
        {report.isPending && <span className="loading loading-sm" aria-hidden />}
        {t`Kirim bukti transfer`}
        <input
          id={id}
          type="file"
          // Named one by one, because a phone that photographs in HEIC then converts what is
          // chosen.
          accept="image/jpeg,image/png,image/webp"
          className="sr-only"
          disabled={report.isPending}
          onChange={({ target }) => {
            const [proof] = target.files ?? []
            target.value = ''
            if (proof) report.mutate(proof)
          }}
        />
      </label>
      <FormProblem>{report.error && errorText(report.error)}</FormProblem>
    </div>
  )
}
