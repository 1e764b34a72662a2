import { useLingui } from '@lingui/react/macro'
import { formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import { parseNumber } from '#client/parse-number.ts'
import type { PriceHistory } from '#features/billing/admin/types.ts'
import { maxIdrPerUsd, maxPackageCents } from '#features/billing/rules.ts'
import { maxCredits, maxDays, maxUnitPrice } from '#features/credits/rules.ts'
import type { ToolPriceView } from '#features/credits/types.ts'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { CheckboxField, TextField } from '#ui/field.tsx'
import { useToolName } from '../tool-name.ts'

export function ToolPriceDialog({ price, onClose }: { price: ToolPriceView; onClose: () => void }) {
  const { t } = useLingui()
  const name = useToolName()(price.tool)
  return (
    <FormDialog
      title={t`Harga ${name}`}
      said={t`Harga sudah disimpan.`}
      values={{ unit: String(price.unit) }}
      change={({ unit }) => ({
        path: `tool_prices/${price.tool}`,
        method: 'PUT',
        json: { unit: parseNumber(unit), version: price.version },
      })}
      texts={{ unit: t`0 sampai ${formatNumber(maxUnitPrice)} kredit` }}
      past={price.history.map(({ at, unit }) => ({ at, text: t`${formatNumber(unit)} kredit` }))}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t`Kredit per satuan`}
          hint={t`Bawaan: ${formatNumber(price.defaultUnit)}`}
          inputMode="numeric"
          {...field('unit')}
        />
      )}
    </FormDialog>
  )
}

export function PackageDialog({ pack, onClose }: { pack: PriceHistory['items'][number]; onClose: () => void }) {
  const { t } = useLingui()
  const [now, ...before] = pack.versions
  if (!now) return null
  return (
    <FormDialog
      title={t`Paket ${now.name}`}
      said={t`Harga sudah disimpan.`}
      values={{
        cents: String(now.cents / 100),
        credits: String(now.credits ?? ''),
        days: String(now.days),
        active: now.active,
      }}
      change={({ cents, credits, days, active }) => {
        const price = parseNumber(cents)
        const { name, position, version } = now
        return {
          path: `packages/${pack.id}`,
          method: 'PUT',
          json: {
            ...{ name, position, version, active },
            cents: typeof price === 'number' ? Math.round(price * 100) : price,
            credits: parseNumber(credits),
            days: parseNumber(days),
          },
        }
      }}
      texts={{
        cents: t`${formatDollars(0.01)} sampai ${formatDollars(maxPackageCents / 100)}`,
        credits: t`1 sampai ${formatNumber(maxCredits)}, atau kosong untuk tanpa batas`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
      }}
      past={before.map(({ at, cents, credits, days }) => ({
        at,
        text: [
          formatDollars(cents / 100),
          credits === null ? t`tanpa batas` : t`${formatNumber(credits)} kredit`,
          t`${formatNumber(days)} hari`,
        ].join(' · '),
      }))}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <div className="grid grid-cols-3 items-start gap-3">
            <TextField label={t`Dolar`} inputMode="decimal" {...field('cents')} />
            <TextField label={t`Kredit`} placeholder="∞" inputMode="numeric" {...field('credits')} />
            <TextField label={t`Hari`} inputMode="numeric" {...field('days')} />
          </div>
          <CheckboxField label={t`Dijual`} {...field('active')} />
        </>
      )}
    </FormDialog>
  )
}

export function RateDialog({ prices, onClose }: { prices: PriceHistory; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Kurs rupiah`}
      said={t`Harga sudah disimpan.`}
      values={{ idrPerUsd: String(prices.idrPerUsd) }}
      change={({ idrPerUsd }) => ({
        path: 'idr_rate',
        method: 'PUT',
        json: { idrPerUsd: parseNumber(idrPerUsd), version: prices.rateVersion },
      })}
      texts={{ idrPerUsd: t`1 sampai ${formatNumber(maxIdrPerUsd)} rupiah` }}
      past={prices.rates.map(({ at, idrPerUsd }) => ({ at, text: formatRupiah(idrPerUsd) }))}
      onClose={onClose}
    >
      {({ field }) => <TextField label={t`Rupiah untuk satu dolar`} inputMode="numeric" {...field('idrPerUsd')} />}
    </FormDialog>
  )
}
