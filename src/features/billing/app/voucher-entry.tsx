import { Plural, useLingui } from '@lingui/react/macro'
import { TicketCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '#client/api.ts'
import { formatRupiah } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { voucherCodeMax } from '../rules.ts'
import type { VoucherPreview } from '../types.ts'

/** Entered → applied, invalid, or verification failed; an applied one can be taken off. */
export function VoucherEntry({
  preview,
  error,
  checking,
  open,
  onEnter,
  onCancel,
}: {
  preview: VoucherPreview | undefined
  error: unknown
  checking: boolean
  /** Nothing but a voucher is wanted: its field is there without asking. */
  open: boolean
  onEnter: (code: string) => void
  onCancel: () => void
}) {
  const { t } = useLingui()
  const [code, setCode] = useState('')
  const [asked, setAsked] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '' && !checking) onEnter(code.trim())
  }
  const invalid = error instanceof ApiError && error.status < 500 && error.status !== 429
  const needsPackage = error instanceof ApiError && error.details.voucherCode === 'voucher.needsPackage'
  const problem = invalid ? t`Voucher tidak valid` : t`Gagal memeriksa voucher. Silakan coba lagi.`
  if (preview && !error) {
    const discount = formatRupiah(preview.discountIdr)
    return (
      <div role="status" className="flex items-center gap-3 rounded-box bg-soft px-4 py-2 text-on-soft">
        <TicketCheck aria-hidden className="size-6 shrink-0" />
        <p className="grid min-w-0 flex-1">
          <span className="wrap-anywhere font-bold">{t`Voucher ${preview.code} dipakai`}</span>
          <span className="text-sm">
            {preview.credits > 0 ? (
              <Plural value={preview.credits} other="Dapat # kredit gratis" />
            ) : (
              t`Potongan ${discount}`
            )}
          </span>
        </p>
        <Button
          variant="ghost"
          onClick={() => {
            setCode('')
            onCancel()
          }}
        >{t`Lepas`}</Button>
      </div>
    )
  }
  if (!asked && !open && !error) {
    return (
      <Button
        variant="ghost"
        className="-ml-2 justify-self-start px-2 text-primary-ink"
        icon={<TicketCheck aria-hidden className="size-5" />}
        onClick={() => setAsked(true)}
      >
        {t`Punya kode voucher?`}
      </Button>
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-2">
      <div className="flex items-end gap-3">
        <div className="flex-1">
          <TextField
            label={t`Kode voucher`}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            maxLength={voucherCodeMax}
            // It came because somebody asked for it.
            autoFocus={asked}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="done"
          />
        </div>
        <Button type="submit" variant="soft" busy={checking}>
          {t`Pakai`}
        </Button>
      </div>
      {error !== null && error !== undefined && !checking && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="font-medium text-error text-sm">
            {problem}
            {needsPackage && <span className="block">{t`Voucher ini hanya berlaku bersama paket.`}</span>}
          </p>
          <Button
            variant="ghost"
            onClick={() => {
              setCode('')
              onCancel()
            }}
          >{t`Tanpa voucher`}</Button>
        </div>
      )}
    </form>
  )
}
