import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { ApiError, errorText } from '#client/api.ts'
import { useBusy } from '#client/busy.ts'
import { formatDollars, formatRupiah } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import type { PackageList, PaymentMethodView, VoucherPreview } from '../schemas.ts'
import { placeOrder, rememberOrder, voucherQuery } from './api.ts'
import { PolicyLink, PpnLine, pathOfOrder, SumLine } from './order-parts.tsx'
import { PackageChoice } from './package-choice.tsx'
import {
  lastMethod,
  PaymentFields,
  type PaymentValues,
  paymentOf,
  paymentTexts,
  rememberMethod,
} from './payment-fields.tsx'
import { VoucherEntry } from './voucher-entry.tsx'

type CheckoutValues = PaymentValues & {
  /** Empty for buyers with only a voucher. */
  packageId: string
  acceptPrivacy: boolean
  acceptTerms: boolean
}

const texts = {
  ...paymentTexts,
  'checkout.choice': msg`Pilih paket atau masukkan voucher.`,
  'checkout.acceptPrivacy': msg`Setujui Kebijakan Privasi dulu, ya.`,
  'checkout.acceptTerms': msg`Setujui Syarat Layanan dulu, ya.`,
}

export function CheckoutForm({
  packages: { items: packages, ppnPercent },
  methods,
  wanted,
}: {
  packages: PackageList
  methods: PaymentMethodView[]
  /** The id of a package; empty for only a voucher. */
  wanted: string | null
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [code, setCode] = useState<string | null>(null)
  const offered = (wantedId: string | null) => packages.find(({ id }) => id === wantedId)
  const state: unknown = useHistoryState()
  // Consents given in the sheet whose link led here.
  const { accepted = false } = (state ?? {}) as { accepted?: boolean }
  const form = useForm<CheckoutValues>({
    defaultValues: {
      packageId:
        wanted === '' ? '' : ((offered(wanted?.toLowerCase() ?? null) ?? offered(wanted) ?? packages[0])?.id ?? ''),
      method: lastMethod() ?? '',
      mobileNumber: '',
      acceptPrivacy: accepted,
      acceptTerms: accepted,
    },
    texts,
    // Judges the values given, since those of the last render are older.
    check: ({ acceptPrivacy, acceptTerms, ...chosen }) => ({
      ...(chosen.packageId || preview
        ? paymentOf(methods, preview ? total : (offered(chosen.packageId)?.idr ?? 0), chosen).problems
        : { packageId: 'checkout.choice' }),
      acceptPrivacy: acceptPrivacy ? null : 'checkout.acceptPrivacy',
      acceptTerms: acceptTerms ? null : 'checkout.acceptTerms',
    }),
    send: async () => {
      if (checking) return
      try {
        const basket = { packageId: bought?.id ?? null, voucherCode: preview?.code ?? null, ...payment }
        const placed = await placeOrder(basket)
        rememberOrder(client, placed)
        rememberMethod(placed.method)
        navigate(pathOfOrder(placed), { replace: true })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'voucher.invalid') void voucher.refetch()
        throw error
      }
    },
  })
  useBusy(form.busy)
  const values = form.watch()
  const bought = offered(values.packageId)
  const voucher = useQuery(voucherQuery(code, bought?.id ?? null))
  const preview = code === null || voucher.error ? undefined : voucher.data
  const checking = code !== null && voucher.isFetching
  const total = preview?.totalIdr ?? bought?.idr ?? 0
  const { payment } = paymentOf(methods, total, values)
  const failed = form.failure instanceof ApiError ? form.failure.code : undefined
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pb-12">
      <div className="grid min-w-0 grid-cols-1 gap-8">
        <section aria-label={t`Paket dan voucher`} className="grid min-w-0 grid-cols-1 gap-3">
          <PackageChoice packages={packages} none={!bought} {...form.register('packageId')} />
          <VoucherEntry
            preview={preview}
            error={code === null ? null : voucher.error}
            checking={checking}
            open={!bought}
            onEnter={(entered) => {
              form.clearErrors('packageId')
              if (entered === code) void voucher.refetch()
              else setCode(entered)
            }}
            onCancel={() => setCode(null)}
          />
          <FormProblem>{form.errorOf('packageId')}</FormProblem>
        </section>
        {total > 0 && (
          <section aria-labelledby="method" className="grid min-w-0 grid-cols-1 gap-3">
            <h2 id="method" className="font-bold text-xl">
              <Trans>Metode pembayaran</Trans>
            </h2>
            <Form form={form} className="grid grid-cols-1 gap-3">
              <PaymentFields methods={methods} amount={total} values={values} field={form.field} />
            </Form>
          </section>
        )}
      </div>
      <aside className="gap-4 max-lg:contents lg:sticky lg:top-24 lg:grid">
        <CheckoutLines bought={bought} preview={preview} total={total} ppnPercent={ppnPercent}>
          <div className="grid">
            <CheckboxField
              label={
                <Trans>
                  Saya menyetujui <PolicyLink to="/privacy-policy">Kebijakan Privasi</PolicyLink>
                </Trans>
              }
              {...form.field('acceptPrivacy')}
            />
            <CheckboxField
              label={
                <Trans>
                  Saya menyetujui <PolicyLink to="/terms-of-service">Syarat Layanan</PolicyLink>
                </Trans>
              }
              {...form.field('acceptTerms')}
            />
          </div>
          {form.failure !== null && (
            <p role="alert" className="rounded-field bg-error px-4 py-3 font-medium text-error-content text-sm">
              {failed === 'voucher.invalid'
                ? t`Voucher tidak valid`
                : failed === 'order.too_many_open'
                  ? errorText(form.failure)
                  : t`Gagal membuat transaksi. Silakan coba lagi.`}
            </p>
          )}
        </CheckoutLines>
        <PayBar total={total} busy={form.busy || checking} onPay={() => void form.submit()} />
      </aside>
    </div>
  )
}

function CheckoutLines({
  bought,
  preview,
  total,
  ppnPercent,
  children,
}: {
  bought: PackageList['items'][number] | undefined
  preview: VoucherPreview | undefined
  total: number
  ppnPercent: PackageList['ppnPercent']
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <section aria-labelledby="sum" className="card grid grid-cols-1 gap-3 p-5">
      <h2 id="sum" className="font-bold text-xl">
        {t`Ringkasan`}
      </h2>
      <dl className="grid gap-2">
        {bought && (
          <SumLine name={t`Paket ${bought.name}`}>
            {`${formatDollars(bought.cents / 100)} · ${formatRupiah(bought.idr)}`}
          </SumLine>
        )}
        {preview && preview.discountIdr > 0 && (
          <SumLine name={t`Potongan voucher`}>{`−${formatRupiah(preview.discountIdr)}`}</SumLine>
        )}
        <PpnLine percent={ppnPercent} totalIdr={total} />
      </dl>
      {children}
    </section>
  )
}

function PayBar({ total, busy, onPay }: { total: number; busy: boolean; onPay: () => void }) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Total dan pembayaran`}
      className="sticky bottom-(--bottom-room) z-30 -mx-(--page-side) flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-base-100 px-(--page-side) py-3 lg:static lg:mx-0 lg:grid lg:rounded-box lg:border lg:px-5 lg:py-4"
    >
      <p className="grid">
        <span className="text-[min(0.875rem,5vw)] text-muted">{t`Total`}</span>
        <strong className="font-extrabold text-[min(1.25rem,6.2vw)] tabular-nums sm:text-2xl" data-testid="total">
          {formatRupiah(total)}
        </strong>
      </p>
      <Button
        size="lg"
        className="min-w-0 flex-[1_1_min(9rem,45%)] px-3 text-[min(1.125rem,5vw)]"
        busy={busy}
        onClick={onPay}
      >
        {total > 0 ? t`Lanjut ke pembayaran` : t`Ambil sekarang`}
      </Button>
    </section>
  )
}
