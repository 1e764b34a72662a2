import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#app/api.ts'
import { errorText } from '#app/errors.ts'
import { formatDollars, formatRupiah } from '#app/format.ts'
import { useBusy } from '#app/offline/busy.ts'
import { Button } from '#app/ui/button.tsx'
import { CheckboxField } from '#app/ui/field.tsx'
import type { PackageView, PaymentMethodView } from '../contract.ts'
import type { MethodId } from '../methods.ts'
import { placeOrder } from './calls.ts'
import { MethodPicker, takes } from './method-picker.tsx'
import { PackageChoice } from './package-choice.tsx'
import { rememberOrder, voucherQuery } from './queries.ts'
import { formatWib } from './time.ts'
import { VoucherEntry } from './voucher-entry.tsx'

const link = 'font-semibold text-primary underline underline-offset-2'

function Line({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  )
}

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
  const [method, setMethod] = useState<MethodId | null>(null)
  const [privacy, setPrivacy] = useState(false)
  const [terms, setTerms] = useState(false)
  const [asked, setAsked] = useState(false)
  const choices = useRef<HTMLElement>(null)
  const ways = useRef<HTMLElement>(null)
  const voucher = useQuery(voucherQuery(code, packageId))
  const preview = code === null || voucher.error ? undefined : voucher.data
  const checking = code !== null && voucher.isFetching

  const order = useMutation({
    mutationFn: placeOrder,
    onSuccess: (placed) => {
      rememberOrder(client, placed)
      const paid = placed.status === 2
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
  const needsMethod = total > 0 && !usable
  const missing = {
    choice: nothingChosen && t`Pilih paket atau masukkan voucher.`,
    method: !nothingChosen && needsMethod && t`Pilih metode pembayaran.`,
    privacy: !privacy && t`Setujui Kebijakan Privasi dulu, ya.`,
    terms: !terms && t`Setujui Syarat dan Ketentuan dulu, ya.`,
  }
  const problem = (name: keyof typeof missing) => (asked && missing[name]) || undefined

  const buy = () => {
    setAsked(true)
    // What is missing may be far above the button.
    const place = missing.choice ? choices.current : missing.method ? ways.current : null
    place?.scrollIntoView({ block: 'start' })
    place?.querySelector<HTMLInputElement>('input:not(:disabled)')?.focus({ preventScroll: true })
    if (checking || Object.values(missing).some(Boolean)) return
    const voucherCode = preview?.code ?? null
    order.mutate({ packageId, voucherCode, method: total > 0 ? (usable?.id ?? null) : null })
  }
  const due = usable ? formatWib(Date.now() + usable.expiresInSeconds * 1000) : ''

  return (
    <div className="grid items-start gap-8 pb-12 lg:grid-cols-[1fr_24rem]">
      <div className="grid gap-8">
        <PackageChoice packages={packages} chosen={packageId} onChoose={setPackageId} />
        <section ref={choices} aria-label={t`Voucher`} className="grid scroll-mt-24 gap-3">
          <VoucherEntry
            preview={preview}
            error={code === null ? null : voucher.error}
            checking={checking}
            onEnter={(entered) => (entered === code ? void voucher.refetch() : setCode(entered))}
            onCancel={() => setCode(null)}
          />
          {problem('choice') && (
            <p role="alert" className="font-medium text-error text-sm">
              {problem('choice')}
            </p>
          )}
        </section>
        {total > 0 && (
          <section ref={ways} aria-labelledby="method" className="grid scroll-mt-24 gap-3">
            <h2 id="method" className="font-bold text-xl">
              <Trans>Metode pembayaran</Trans>
            </h2>
            {problem('method') && (
              <p role="alert" className="font-medium text-error text-sm">
                {problem('method')}
              </p>
            )}
            <MethodPicker methods={methods} amount={total} chosen={usable?.id ?? null} onChoose={setMethod} />
          </section>
        )}
      </div>
      <section aria-labelledby="sum" className="card-surface grid gap-4 p-5 lg:sticky lg:top-24">
        <h2 id="sum" className="font-bold text-xl">
          <Trans>Ringkasan</Trans>
        </h2>
        <dl className="grid gap-2">
          {bought && (
            <Line name={t`Paket ${bought.name}`}>
              {`${formatDollars(bought.cents / 100)} · ${formatRupiah(bought.idr)}`}
            </Line>
          )}
          {preview && preview.discountIdr > 0 && (
            <Line name={t`Potongan voucher`}>{`−${formatRupiah(preview.discountIdr)}`}</Line>
          )}
          <div className="mt-1 flex items-baseline justify-between gap-4 border-line border-t pt-3">
            <dt className="font-bold">{t`Total`}</dt>
            <dd className="font-extrabold text-2xl tabular-nums" data-testid="total">
              {formatRupiah(total)}
            </dd>
          </div>
        </dl>
        {usable && total > 0 && (
          <p className="text-muted text-sm">{t`Bayar dengan ${usable.name} paling lambat ${due}.`}</p>
        )}
        <div className="grid">
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
        <Button size="lg" busy={order.isPending || checking} onClick={buy}>
          {total > 0 ? t`Lanjut ke pembayaran` : t`Ambil sekarang`}
        </Button>
      </section>
    </div>
  )
}
