import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { formatRupiah } from '#client/format.ts'
import { localKeys } from '#client/storage.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { FormProblem, type FormTexts } from '#ui/form.tsx'
import { type MethodId, methodIds } from '../payment-methods.ts'
import { toMobileNumber } from '../rules.ts'
import type { PaymentMethodView } from '../schemas.ts'

/** The mobile number is used only by methods that require it. */
export type PaymentValues = { method: MethodId | ''; mobileNumber: string }

export const paymentTexts: FormTexts = {
  'checkout.method': msg`Pilih metode pembayaran.`,
  'checkout.mobileNumber': msg`Tulis nomor HP yang benar, misalnya 0812 3456 7890.`,
}

const takes = ({ min, max }: PaymentMethodView, amount: number): boolean => amount >= min && amount <= max

function chosenMethod(
  methods: PaymentMethodView[],
  amount: number,
  { method, mobileNumber }: PaymentValues,
): { id: MethodId | null; number: string | null } {
  const chosen = amount > 0 ? methods.find(({ id }) => id === method) : undefined
  if (!chosen || !takes(chosen, amount)) return { id: null, number: null }
  const asksNumber = chosen.asksMobileNumber && chosen.driver !== 'manual'
  return { id: chosen.id, number: asksNumber ? mobileNumber : null }
}

/** Also returns message keys of problems. */
export function paymentOf(methods: PaymentMethodView[], amount: number, values: PaymentValues) {
  const { id, number } = chosenMethod(methods, amount, values)
  return {
    payment: { method: id, mobileNumber: number },
    problems: {
      method: amount > 0 && id === null ? 'checkout.method' : null,
      mobileNumber: number !== null && toMobileNumber(number) === null ? 'checkout.mobileNumber' : null,
    },
  }
}

interface FieldsProps {
  methods: PaymentMethodView[]
  amount: number
  values: PaymentValues
  field: (name: 'method' | 'mobileNumber') => UseFormRegisterReturn & { error: string | undefined }
}

function Methods({ name, hidden, methods, amount, values, field }: FieldsProps & { name: string; hidden?: boolean }) {
  const { t } = useLingui()
  const { error: _, ...radio } = field('method')
  const { id: chosen, number } = chosenMethod(methods, amount, values)
  return (
    <fieldset className="card grid min-w-0 grid-cols-1 divide-y divide-line overflow-hidden">
      <legend className={hidden ? 'sr-only' : 'float-left w-full px-4 py-3 font-semibold text-sm'}>{name}</legend>
      {methods.map((method) => {
        const { id, name: wallet } = method
        const possible = takes(method, amount)
        const [from, to] = [formatRupiah(method.min), formatRupiah(method.max)]
        return (
          <Fragment key={id}>
            <label
              className={`flex min-h-14 items-center gap-2 px-4 py-2 has-checked:bg-soft has-checked:text-on-soft ${possible ? 'cursor-pointer' : ''}`}
            >
              <img src={method.image} alt="" width={40} height={40} className={possible ? '' : 'grayscale'} />
              <span className="wrap-anywhere grid min-w-0 flex-1">
                <span className={possible ? 'font-semibold' : 'text-muted'}>{method.name}</span>
                {method.driver === 'manual' && possible && (
                  <span className="text-xs">{t`Transfer manual, kami periksa dulu`}</span>
                )}
                {!possible && (
                  <span className="text-muted text-xs">
                    {amount < method.min ? t`Minimal ${from}` : t`Maksimal ${to}`}
                  </span>
                )}
              </span>
              <input
                key={String(possible)}
                {...(possible ? radio : { name: radio.name, disabled: true })}
                type="radio"
                value={id}
                className="size-5 shrink-0 accent-primary"
              />
            </label>
            {id === chosen && number !== null && (
              <div className="bg-soft px-4 pb-3">
                <TextField
                  label={t`Nomor HP ${wallet}`}
                  hint={t`Permintaan pembayaran dikirim ke nomor ini.`}
                  type="tel"
                  inputMode="tel"
                  autoComplete="tel"
                  placeholder="0812…"
                  maxLength={24}
                  {...field('mobileNumber')}
                />
              </div>
            )}
          </Fragment>
        )
      })}
    </fieldset>
  )
}

export function PaymentFields(props: FieldsProps) {
  const { t } = useLingui()
  const { methods, values, field } = props
  const { likely, others } = likelyMethods(methods, useState(lastMethod)[0])
  const [all, setAll] = useState(() => others.some(({ id }) => id === values.method))
  const groups = [
    { name: t`QRIS dan dompet digital lain`, of: others.filter(({ kind }) => kind !== 'bank') },
    { name: t`Transfer bank lain`, of: others.filter(({ kind }) => kind === 'bank') },
  ].filter(({ of }) => of.length > 0)
  return (
    <>
      <FormProblem>{field('method').error}</FormProblem>
      <Methods {...props} name={t`Metode yang sering dipakai`} hidden methods={likely} />
      {groups.length > 0 && !all && (
        <Button
          variant="outline"
          className="justify-between font-semibold"
          aria-expanded={false}
          onClick={() => setAll(true)}
        >
          {t`Metode lain`}
          <ChevronDown aria-hidden className="size-5" />
        </Button>
      )}
      {all && groups.map(({ name, of }) => <Methods key={name} {...props} name={name} methods={of} />)}
    </>
  )
}

/** Most common payment methods in Indonesia. */
const usual: readonly MethodId[] = ['qris', 'gopay', 'dana', 'bca']
const count = 4

export function lastMethod(): MethodId | null {
  const kept = localStorage.getItem(localKeys.paymentMethod)
  return methodIds.find((id) => id === kept) ?? null
}

export function rememberMethod(method: MethodId | null): void {
  if (method) localStorage.setItem(localKeys.paymentMethod, method)
}

/** The last used method comes first, the rest keeps its order. */
export function likelyMethods(
  methods: readonly PaymentMethodView[],
  last: MethodId | null,
): { likely: PaymentMethodView[]; others: PaymentMethodView[] } {
  const order = [...(last ? [last] : []), ...usual]
  const rank = ({ id }: PaymentMethodView) => (order.includes(id) ? order.indexOf(id) : order.length)
  const likely = [...methods].sort((one, other) => rank(one) - rank(other)).slice(0, count)
  return { likely, others: methods.filter((method) => !likely.includes(method)) }
}
