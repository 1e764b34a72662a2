import { Plural, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { serverNow } from '#client/device/server-time.ts'
import { formatDate } from '#client/format.ts'
import { dayMs } from '#shared/time.ts'
import { CreditCount } from '#ui/credit-count.tsx'
import type { PackageView } from '../schemas.ts'
import { PackageWorth, usePrices, WorthNote } from './billing.tsx'

function Choice({ value, radio, children }: { value: string; radio: UseFormRegisterReturn; children: ReactNode }) {
  return (
    <label className="flex min-h-16 cursor-pointer flex-wrap items-center gap-x-3.5 rounded-box border-2 border-line bg-base-100 px-4 py-3 has-checked:border-primary has-checked:bg-soft has-checked:text-on-soft">
      <input {...radio} type="radio" value={value} className="size-5 shrink-0 accent-primary" />
      {children}
    </label>
  )
}

/** Includes the effect on existing credits. */
function EndNote({ packages }: { packages: PackageView[] }) {
  const { t } = useLingui()
  const [days, ...others] = new Set(packages.map((offer) => offer.days))
  const until = formatDate(serverNow() + (days ?? 0) * dayMs)
  return (
    <>
      {days !== undefined && others.length === 0 && t`Dibayar hari ini, berlaku sampai ${until}.`}{' '}
      {t`Kredit yang berakhir lebih dulu dipakai lebih dulu. Tidak diperpanjang otomatis.`}
    </>
  )
}

/** An empty value means only a voucher. `alone`: packages only; `none`: no package is chosen. */
export function PackageChoice({
  packages,
  alone = false,
  none = false,
  ...radio
}: { packages: PackageView[]; alone?: boolean; none?: boolean } & UseFormRegisterReturn) {
  const { t } = useLingui()
  const pricesOf = usePrices()
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className={alone ? 'sr-only' : 'mb-3 font-bold text-xl'}>{t`Pilih paket`}</legend>
      {packages.map((offer) => {
        const { id, name, credits, days } = offer
        const { large, small } = pricesOf(offer)
        return (
          <Choice key={id} value={id} radio={radio}>
            <span className="flex min-w-[min(10rem,100%)] flex-1 flex-wrap items-center justify-between gap-x-4">
              <span className="grid min-w-[min(10rem,100%)] flex-1">
                <span className="font-bold">{name}</span>
                <span className="text-sm">
                  {credits === null ? (
                    <Plural value={days} other="Kredit tanpa batas, # hari" />
                  ) : (
                    <>
                      <CreditCount count={credits} />, <Plural value={days} other="# hari" />
                    </>
                  )}
                </span>
                <span className="text-sm">
                  <PackageWorth {...offer} />
                </span>
              </span>
              <span className="flex flex-wrap items-baseline gap-x-2 sm:grid sm:text-right">
                <span className="font-extrabold text-lg tabular-nums">{large}</span>
                <span className="text-sm tabular-nums">{small}</span>
              </span>
            </span>
          </Choice>
        )
      })}
      {!alone && (
        <Choice value="" radio={radio}>
          <span className="grid min-w-[min(10rem,100%)] flex-1">
            <span className="font-bold">{t`Voucher saja`}</span>
            <span className="text-sm">{t`Untuk voucher kredit gratis, tanpa membeli paket`}</span>
          </span>
        </Choice>
      )}
      {!none && (
        <p className="text-muted text-sm">
          <WorthNote /> <EndNote packages={packages} />
        </p>
      )}
    </fieldset>
  )
}
