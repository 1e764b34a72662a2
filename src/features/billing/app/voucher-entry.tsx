import { Plural, useLingui } from '@lingui/react/macro'
import { TicketCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#client/api.ts'
import { formatRupiah } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { voucherCodeMax } from '../rules.ts'
import type { VoucherPreview } from '../schemas.ts'

/** Entered → applied, invalid, or verification failed; an applied voucher can be removed. */
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
  /** True if the buyer wants only a voucher. */
  open: boolean
  onEnter: (code: string) => void
  onCancel: () => void
}) {
  const { t } = useLingui()
  const [asked, setAsked] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  // On a phone the field would be hidden below the total. Keyboard focus stays on the choice.
  useEffect(() => {
    if (open) field.current?.scrollIntoView({ block: 'center' })
  }, [open])
  const form = useForm({
    defaultValues: { code: '' },
    send: ({ code }: { code: string }) => {
      if (code.trim() !== '' && !checking) onEnter(code.trim())
    },
  })
  const cancel = () => {
    form.reset()
    onCancel()
  }
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
        <Button variant="ghost" onClick={cancel}>{t`Lepas`}</Button>
      </div>
    )
  }
  if (!asked && !open && !error) {
    return (
      <Button
        variant="ghost"
        className="-ml-2 justify-self-start px-2 text-primary-ink"
        icon={TicketCheck}
        onClick={() => setAsked(true)}
      >
        {t`Punya kode voucher?`}
      </Button>
    )
  }
  const refusal = error instanceof ApiError && error.status < 500 && error.status !== 429 ? error : undefined
  return (
    <Form form={form} className="grid gap-2">
      <div ref={field} className="flex items-end gap-3">
        <div className="flex-1">
          <TextField
            label={t`Kode voucher`}
            maxLength={voucherCodeMax}
            autoFocus={asked}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="done"
            {...form.field('code')}
          />
        </div>
        <Button type="submit" variant="soft" busy={checking}>
          {t`Pakai`}
        </Button>
      </div>
      {error != null && !checking && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="font-medium text-error text-sm">
            {refusal ? t`Voucher tidak valid` : t`Gagal memeriksa voucher. Silakan coba lagi.`}
            {refusal?.details.voucherCode === 'voucher.needsPackage' && (
              <span className="block">{t`Voucher ini hanya berlaku bersama paket.`}</span>
            )}
            {refusal?.details.voucherCode === 'voucher.own' && (
              <span className="block">{t`Voucher yang kamu buat atau ubah sendiri tidak bisa kamu pakai.`}</span>
            )}
          </p>
          <Button variant="ghost" onClick={cancel}>{t`Tanpa voucher`}</Button>
        </div>
      )}
    </Form>
  )
}
