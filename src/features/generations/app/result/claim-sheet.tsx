import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { instantRefundDays, maxInstantRefunds, refundReasonMax, refundRequestHours } from '../../rules.ts'
import type { GenerationView } from '../../types.ts'
import { claimMutation } from '../queries.ts'

/** Room that the reason itself takes of what a claim may say. */
const detailsMax = refundReasonMax - 80

/** Asks what is wrong with a result; whoever cannot find it in the list says it. */
export function ClaimSheet({ generation, onClose }: { generation: GenerationView; onClose: () => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [reason, setReason] = useState<string | null>(null)
  const [details, setDetails] = useState('')
  const [asked, setAsked] = useState(false)
  const claim = useMutation(claimMutation(client, generation))
  const other = t`Lainnya`
  const reasons = [
    t`Tepinya tidak rapi`,
    t`Ada bagian yang hilang atau tertinggal`,
    t`Wajah atau bentuknya berubah`,
    t`Gambarnya buram atau rusak`,
    other,
  ]
  const said = details.trim()
  const unsaid = reason === other && said === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (reason === null || unsaid || claim.isPending) return
    claim.mutate(said === '' ? reason : `${reason}: ${said}`, {
      onSuccess: ({ status }) => {
        if (status === 'refunded') showSnackbar('success', t`Kreditmu sudah kembali`)
        else showSnackbar('info', t`Keluhanmu kami periksa dulu`)
        onClose()
      },
    })
  }
  return (
    <BottomSheet open onClose={onClose} title={t`Apa yang kurang?`}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p className="text-muted text-sm leading-relaxed">
          <Plural
            value={generation.credits}
            other={`# kredit kembali ke saldomu, dan hasilnya dihapus: tidak bisa diunduh atau diubah lagi. Bisa dipakai sekali untuk tiap hasil, dalam ${refundRequestHours} jam setelah jadi.`}
          />{' '}
          {t`Setelah ${maxInstantRefunds} kali dalam ${instantRefundDays} hari, kami periksa dulu; hasilnya tetap ada sampai kami putuskan.`}
        </p>
        <fieldset className="grid gap-1">
          <legend className="sr-only">{t`Apa yang kurang?`}</legend>
          {reasons.map((text) => (
            <label
              key={text}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-2 has-checked:bg-soft has-checked:text-on-soft"
            >
              <input
                type="radio"
                name="reason"
                className="size-5 shrink-0 accent-primary"
                checked={reason === text}
                onChange={() => setReason(text)}
              />
              {text}
            </label>
          ))}
        </fieldset>
        <Field
          label={reason === other ? t`Ceritakan` : t`Ceritakan (boleh dikosongkan)`}
          error={asked && unsaid ? t`Ceritakan apa yang kurang, ya.` : undefined}
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={2}
              maxLength={detailsMax}
              className="textarea w-full text-base"
              value={details}
              onChange={({ target }) => setDetails(target.value)}
            />
          )}
        </Field>
        {((asked && reason === null) || claim.error) && (
          <p role="alert" className="font-medium text-error text-sm">
            {reason === null ? t`Pilih alasannya dulu, ya.` : errorText(claim.error)}
          </p>
        )}
        <Button type="submit" size="lg" busy={claim.isPending}>
          {t`Minta kredit kembali`}
        </Button>
      </form>
    </BottomSheet>
  )
}
