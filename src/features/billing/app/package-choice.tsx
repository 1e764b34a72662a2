import { Plural, useLingui } from '@lingui/react/macro'
import { formatDollars, formatRupiah } from '#app/format.ts'
import type { PackageView } from '../contract.ts'

const row =
  'flex min-h-16 cursor-pointer items-center gap-4 rounded-box border-2 border-line bg-base-100 px-4 py-3 has-checked:border-primary has-checked:bg-soft has-checked:text-on-soft'

/** One of the packages, or none for those who only have a voucher. */
export function PackageChoice({
  packages,
  chosen,
  onChoose,
}: {
  packages: PackageView[]
  chosen: string | null
  onChoose: (id: string | null) => void
}) {
  const { t } = useLingui()
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 font-bold text-xl">{t`Pilih paket`}</legend>
      {packages.map(({ id, name, cents, idr, credits, days }) => (
        <label key={id} className={row}>
          <input
            type="radio"
            name="package"
            className="size-5 shrink-0 accent-primary"
            checked={chosen === id}
            onChange={() => onChoose(id)}
          />
          <span className="grid flex-1">
            <span className="font-bold">{name}</span>
            <span className="text-sm">
              {credits === null ? (
                <Plural value={days} other="Kredit tanpa batas, # hari" />
              ) : (
                <>
                  <Plural value={credits} other="# kredit" /> · <Plural value={days} other="# hari" />
                </>
              )}
            </span>
          </span>
          <span className="grid text-right">
            <span className="font-bold">{formatDollars(cents / 100)}</span>
            <span className="text-sm">{formatRupiah(idr)}</span>
          </span>
        </label>
      ))}
      <label className={row}>
        <input
          type="radio"
          name="package"
          className="size-5 shrink-0 accent-primary"
          checked={chosen === null}
          onChange={() => onChoose(null)}
        />
        <span className="grid flex-1">
          <span className="font-bold">{t`Voucher saja`}</span>
          <span className="text-sm">{t`Untuk voucher kredit gratis, tanpa membeli paket`}</span>
        </span>
      </label>
    </fieldset>
  )
}
