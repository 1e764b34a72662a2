import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#client/api.ts'
import { useBusy } from '#client/busy.ts'
import { errorText } from '#client/errors.ts'
import { CheckboxField } from '#ui/field.tsx'
import type { MethodId } from '../methods.ts'
import { orderStatus, toMobileNumber } from '../rules.ts'
import type { PackageView, PaymentMethodView } from '../types.ts'
import { placeOrder } from './api.ts'
import { CheckoutLines, PayBar } from './checkout-sum.tsx'
import { lastMethod, rememberMethod } from './last-method.ts'
import { MethodPicker, takes } from './method-picker.tsx'
import { MobileNumberField } from './mobile-number.tsx'
import { PackageChoice } from './package-choice.tsx'
import { rememberOrder, voucherQuery } from './queries.ts'
import { VoucherEntry } from './voucher-entry.tsx'

const link = 'font-semibold text-primary-ink underline underline-offset-2'

/** Package, voucher, method, consent and the sum, in the order in which people decide. */
export function CheckoutForm({
  packages,
  methods,
  wanted,
}: {
  packages: PackageView[]
  methods: PaymentMethodView[]
  /** The package that was picked on the way here. */
  wanted: string | null
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const offered = (id: string | null) => packages.find((candidate) => candidate.id === id)
  const [packageId, setPackageId] = useState(
    () => (offered(wanted?.toLowerCase() ?? null) ?? offered(wanted) ?? packages[0])?.id ?? null,
  )
  const [code, setCode] = useState<string | null>(null)
  const [method, setMethod] = useState<MethodId | null>(lastMethod)
  const [mobileNumber, setMobileNumber] = useState('')
  const [privacy, setPrivacy] = useState(false)
  const [terms, setTerms] = useState(false)
  const [asked, setAsked] = useState(false)
  const choices = useRef<HTMLElement>(null)
  const ways = useRef<HTMLElement>(null)
  const consents = useRef<HTMLDivElement>(null)
  const voucher = useQuery(voucherQuery(code, packageId))
  const preview = code === null || voucher.error ? undefined : voucher.data
  const checking = code !== null && voucher.isFetching

  const order = useMutation({
    mutationFn: placeOrder,
    onSuccess: (placed) => {
      rememberOrder(client, placed)
      rememberMethod(placed.method)
      const paid = placed.status === orderStatus.paid
      navigate(paid ? `/payment-success?order=${placed.id}` : `/checkout?order=${placed.id}`, { replace: true })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'voucher.invalid') void voucher.refetch()
    },
  })
  useBusy(order.isPending)

  const bought = offered(packageId)
  const subtotal = bought?.idr ?? 0
  const total = preview?.totalIdr ?? subtotal
  const nothingChosen = !bought && !preview
  const chosen = methods.find(({ id }) => id === method)
  const usable = chosen && takes(chosen, total) ? chosen : undefined
  const asksNumber = usable !== undefined && total > 0 && usable.asksMobileNumber && usable.driver !== 'manual'
  const needsMethod = total > 0 && !usable
  const missing = {
    choice: nothingChosen && t`Pilih paket atau masukkan voucher.`,
    method: !nothingChosen && needsMethod && t`Pilih metode pembayaran.`,
    number:
      asksNumber && toMobileNumber(mobileNumber) === null && t`Tulis nomor HP yang benar, misalnya 0812 3456 7890.`,
    privacy: !privacy && t`Setujui Kebijakan Privasi dulu, ya.`,
    terms: !terms && t`Setujui Syarat dan Ketentuan dulu, ya.`,
  }
  const problem = (name: keyof typeof missing) => (asked && missing[name]) || undefined

  const buy = () => {
    setAsked(true)
    // What is missing may be far above the button.
    const place = missing.choice
      ? choices.current
      : missing.method || missing.number
        ? ways.current
        : missing.privacy || missing.terms
          ? consents.current
          : null
    place?.scrollIntoView({ block: 'center' })
    const wanted = missing.number && !missing.method ? 'input[type="tel"]' : 'input:not(:disabled):not(:checked)'
    place?.querySelector<HTMLInputElement>(wanted)?.focus({ preventScroll: true })
    if (checking || Object.values(missing).some(Boolean)) return
    const voucherCode = preview?.code ?? null
    order.mutate({
      packageId,
      voucherCode,
      method: total > 0 ? (usable?.id ?? null) : null,
      mobileNumber: asksNumber ? mobileNumber : null,
    })
  }

  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pb-12">
      <div className="grid min-w-0 grid-cols-1 gap-8">
        <section
          ref={choices}
          aria-label={t`Paket dan voucher`}
          className="grid min-w-0 scroll-mt-24 grid-cols-1 gap-3"
        >
          <PackageChoice packages={packages} chosen={packageId} onChoose={setPackageId} />
          <VoucherEntry
            preview={preview}
            error={code === null ? null : voucher.error}
            checking={checking}
            open={packageId === null}
            onEnter={(entered) => (entered === code ? void voucher.refetch() : setCode(entered))}
            onCancel={() => setCode(null)}
          />
          <Problem>{problem('choice')}</Problem>
        </section>
        {total > 0 && (
          <section ref={ways} aria-labelledby="method" className="grid min-w-0 scroll-mt-24 grid-cols-1 gap-3">
            <h2 id="method" className="font-bold text-xl">
              <Trans>Metode pembayaran</Trans>
            </h2>
            <Problem>{problem('method')}</Problem>
            <MethodPicker methods={methods} amount={total} chosen={usable?.id ?? null} onChoose={setMethod} />
            {asksNumber && (
              <MobileNumberField
                wallet={usable.name}
                value={mobileNumber}
                error={problem('number')}
                onChange={setMobileNumber}
              />
            )}
          </section>
        )}
      </div>
      <aside className="gap-4 max-lg:contents lg:sticky lg:top-24 lg:grid">
        <CheckoutLines bought={bought} preview={preview}>
          <div ref={consents} className="grid scroll-mt-24">
            <CheckboxField
              label={
                <Trans>
                  Saya menyetujui{' '}
                  <a href="/privacy-policy" target="_blank" rel="noreferrer" className={link}>
                    Kebijakan Privasi
                  </a>
                </Trans>
              }
              checked={privacy}
              onChange={(event) => setPrivacy(event.target.checked)}
              error={problem('privacy')}
            />
            <CheckboxField
              label={
                <Trans>
                  Saya menyetujui{' '}
                  <a href="/terms-of-service" target="_blank" rel="noreferrer" className={link}>
                    Syarat dan Ketentuan
                  </a>
                </Trans>
              }
              checked={terms}
              onChange={(event) => setTerms(event.target.checked)}
              error={problem('terms')}
            />
          </div>
          {order.error && (
            <p role="alert" className="rounded-field bg-error px-4 py-3 font-medium text-error-content text-sm">
              {order.error instanceof ApiError && order.error.code === 'voucher.invalid'
                ? t`Voucher tidak valid`
                : order.error instanceof ApiError && order.error.code === 'order.too_many_open'
                  ? errorText(order.error)
                  : t`Gagal membuat transaksi. Silakan coba lagi.`}
            </p>
          )}
        </CheckoutLines>
        <PayBar total={total} busy={order.isPending || checking} onPay={buy} />
      </aside>
    </div>
  )
}

function Problem({ children }: { children: string | undefined }) {
  return children ? (
    <p role="alert" className="font-medium text-error text-sm">
      {children}
    </p>
  ) : null
}
