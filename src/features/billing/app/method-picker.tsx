import { useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { formatRupiah } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import type { MethodId } from '../methods.ts'
import type { PaymentMethodView } from '../types.ts'
import { lastMethod } from './last-method.ts'
import { likelyMethods } from './likely-methods.ts'

/** Whether an amount can be paid by a method. */
export const takes = ({ min, max }: PaymentMethodView, amount: number): boolean => amount >= min && amount <= max

interface Choice {
  amount: number
  chosen: MethodId | null
  onChoose: (id: MethodId) => void
}

/** A method; its limits are shown only where they exclude it. */
function Row({ method, amount, chosen, onChoose }: Choice & { method: PaymentMethodView }) {
  const { t } = useLingui()
  const { id, min, max } = method
  const possible = takes(method, amount)
  const [from, to] = [formatRupiah(min), formatRupiah(max)]
  return (
    <label
      className={`flex min-h-14 items-center gap-3.5 px-4 py-2 has-checked:bg-soft has-checked:text-on-soft ${possible ? 'cursor-pointer' : ''}`}
    >
      <img src={method.image} alt="" width={40} height={40} className={possible ? '' : 'grayscale'} />
      <span className="grid min-w-0 flex-1">
        <span className={possible ? 'font-semibold' : 'text-muted'}>{method.name}</span>
        {method.driver === 'manual' && possible && (
          <span className="text-xs">{t`Transfer manual, kami periksa dulu`}</span>
        )}
        {!possible && (
          <span className="text-muted text-xs">{amount < min ? t`Minimal ${from}` : t`Maksimal ${to}`}</span>
        )}
      </span>
      <input
        type="radio"
        name="method"
        className="size-5 shrink-0 accent-primary"
        checked={chosen === id}
        disabled={!possible}
        onChange={() => onChoose(id)}
      />
    </label>
  )
}

function Group({
  name,
  hidden,
  methods,
  ...choice
}: Choice & { name: string; hidden?: boolean; methods: PaymentMethodView[] }) {
  return (
    <fieldset className="card grid min-w-0 grid-cols-1 divide-y divide-line overflow-hidden">
      <legend className={hidden ? 'sr-only' : 'float-left w-full px-4 py-3 font-semibold text-sm'}>{name}</legend>
      {methods.map((method) => (
        <Row key={method.id} method={method} {...choice} />
      ))}
    </fieldset>
  )
}

/** The likely methods first, one tap away all others. */
export function MethodPicker({ methods, ...choice }: Choice & { methods: PaymentMethodView[] }) {
  const { t } = useLingui()
  const { likely, others } = likelyMethods(methods, useState(lastMethod)[0])
  const [all, setAll] = useState(() => others.some(({ id }) => id === choice.chosen))
  const groups = [
    { name: t`QRIS dan dompet digital lain`, of: others.filter(({ kind }) => kind !== 'bank') },
    { name: t`Transfer bank lain`, of: others.filter(({ kind }) => kind === 'bank') },
  ].filter(({ of }) => of.length > 0)
  return (
    <div className="grid grid-cols-1 gap-3">
      <Group name={t`Metode yang sering dipakai`} hidden methods={likely} {...choice} />
      {groups.length > 0 && !all && (
        <Button
          variant="outline"
          className="justify-between font-semibold"
          aria-expanded={false}
          onClick={() => setAll(true)}
        >
          {t`Lainnya`}
          <ChevronDown aria-hidden className="size-5" />
        </Button>
      )}
      {all && groups.map(({ name, of }) => <Group key={name} name={name} methods={of} {...choice} />)}
    </div>
  )
}
