import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { formatDateTime, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import type { PriceHistory } from '#features/billing/admin/types.ts'
import { maxIdrPerUsd, maxPackageCents } from '#features/billing/rules.ts'
import { maxCredits, maxDays, maxUnitPrice } from '#features/credits/rules.ts'
import type { ToolPriceView } from '#features/credits/types.ts'
import { FormRefusal, useFormProblems } from '#ui/admin/form-problems.tsx'
import { type ChangeRequest, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { CheckboxField, TextField } from '#ui/field.tsx'
import { useToolName } from '../tool-name.ts'

/** A form about one price, with what it was before. */
function PriceDialog<Field extends string>({
  title,
  request,
  past,
  sentences,
  children,
  onClose,
}: {
  title: string
  request: () => ChangeRequest
  /** What was set before and when, the newest first. */
  past: { at: string; text: ReactNode }[]
  /** What each field takes. */
  sentences: Record<Field, string>
  /** The fields, told what is wrong with each. */
  children: (problemOf: (field: Field) => string | undefined) => ReactNode
  onClose: () => void
}) {
  const { t } = useLingui()
  const change = useChange({ said: t`Harga sudah disimpan.`, onDone: onClose, quiet: true })
  const problems = useFormProblems(change.error, sentences)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    change.mutate(request())
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        {children(problems.of)}
        <FormRefusal>{problems.rest}</FormRefusal>
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" busy={change.isPending}>{t`Simpan`}</Button>
        </div>
      </form>
      {past.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 font-bold">{t`Riwayat`}</h3>
          <ol className="max-h-48 overflow-y-auto text-sm">
            {past.map(({ at, text }) => (
              <li key={at} className="flex justify-between gap-3 py-1">
                <span className="text-muted">{formatDateTime(at)}</span> <span className="tabular-nums">{text}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}

const wholeNumber = (text: string) => text.replace(/\D/g, '')

export function ToolPriceDialog({ price, onClose }: { price: ToolPriceView; onClose: () => void }) {
  const { t } = useLingui()
  const name = useToolName()(price.tool)
  const [unit, setUnit] = useState(String(price.unit))
  return (
    <PriceDialog
      title={t`Harga ${name}`}
      request={() => ({
        path: `/api/admin/tool_prices/${price.tool}`,
        method: 'PUT',
        json: { unit: unit === '' ? null : Number(unit), version: price.version },
      })}
      past={price.history.map(({ at, unit: past }) => ({ at, text: t`${formatNumber(past)} kredit` }))}
      sentences={{ unit: t`0 sampai ${formatNumber(maxUnitPrice)} kredit` }}
      onClose={onClose}
    >
      {(problemOf) => (
        <TextField
          label={t`Kredit per satuan`}
          hint={t`Bawaan: ${formatNumber(price.defaultUnit)}`}
          error={problemOf('unit')}
          inputMode="numeric"
          value={unit}
          onChange={(event) => setUnit(wholeNumber(event.target.value))}
        />
      )}
    </PriceDialog>
  )
}

export function PackageDialog({ pack, onClose }: { pack: PriceHistory['items'][number]; onClose: () => void }) {
  const { t } = useLingui()
  const [now] = pack.versions
  const [dollars, setDollars] = useState(String((now?.cents ?? 0) / 100))
  const [credits, setCredits] = useState(now?.credits == null ? '' : String(now.credits))
  const [days, setDays] = useState(String(now?.days ?? 30))
  const [active, setActive] = useState(now?.active ?? true)
  if (!now) return null
  return (
    <PriceDialog
      title={t`Paket ${now.name}`}
      request={() => ({
        path: `/api/admin/packages/${pack.id}`,
        method: 'PUT',
        json: {
          ...{ name: now.name, position: now.position, active, version: now.version },
          days: days === '' ? null : Number(days),
          cents: dollars === '' ? null : Math.round(Number(dollars) * 100),
          credits: credits === '' ? null : Number(credits),
        },
      })}
      past={pack.versions.slice(1).map(({ at, cents, credits: past, days: lasted }) => ({
        at,
        text: [
          formatDollars(cents / 100),
          past === null ? t`tanpa batas` : t`${formatNumber(past)} kredit`,
          t`${formatNumber(lasted)} hari`,
        ].join(' · '),
      }))}
      sentences={{
        cents: t`${formatDollars(0.01)} sampai ${formatDollars(maxPackageCents / 100)}`,
        credits: t`1 sampai ${formatNumber(maxCredits)}, atau kosong untuk tanpa batas`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
      }}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <div className="grid grid-cols-3 items-start gap-3">
            <TextField
              label={t`Dolar`}
              error={problemOf('cents')}
              inputMode="decimal"
              value={dollars}
              onChange={(event) => setDollars(event.target.value.replace(',', '.').replace(/[^\d.]/g, ''))}
            />
            <TextField
              label={t`Kredit`}
              error={problemOf('credits')}
              placeholder="∞"
              inputMode="numeric"
              value={credits}
              onChange={(event) => setCredits(wholeNumber(event.target.value))}
            />
            <TextField
              label={t`Hari`}
              error={problemOf('days')}
              inputMode="numeric"
              value={days}
              onChange={(event) => setDays(wholeNumber(event.target.value))}
            />
          </div>
          <CheckboxField label={t`Dijual`} checked={active} onChange={(event) => setActive(event.target.checked)} />
        </>
      )}
    </PriceDialog>
  )
}

export function RateDialog({ prices, onClose }: { prices: PriceHistory; onClose: () => void }) {
  const { t } = useLingui()
  const [rate, setRate] = useState(String(prices.idrPerUsd))
  return (
    <PriceDialog
      title={t`Kurs rupiah`}
      request={() => ({
        path: '/api/admin/idr_rate',
        method: 'PUT',
        json: { idrPerUsd: rate === '' ? null : Number(rate), version: prices.rateVersion },
      })}
      past={prices.rates.map(({ at, idrPerUsd }) => ({ at, text: formatRupiah(idrPerUsd) }))}
      sentences={{ idrPerUsd: t`1 sampai ${formatNumber(maxIdrPerUsd)} rupiah` }}
      onClose={onClose}
    >
      {(problemOf) => (
        <TextField
          label={t`Rupiah untuk satu dolar`}
          error={problemOf('idrPerUsd')}
          inputMode="numeric"
          value={rate}
          onChange={(event) => setRate(wholeNumber(event.target.value))}
        />
      )}
    </PriceDialog>
  )
}
