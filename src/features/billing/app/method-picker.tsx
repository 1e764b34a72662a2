import { Plural, useLingui } from '@lingui/react/macro'
import { formatRupiah } from '#app/format.ts'
import type { PaymentMethodView } from '../contract.ts'
import type { MethodId } from '../methods.ts'

/** Whether an amount can be paid by a method. */
export const takes = ({ min, max }: PaymentMethodView, amount: number): boolean => amount >= min && amount <= max

function HowLong({ method }: { method: PaymentMethodView }) {
  const { expiresInSeconds, approvalSeconds } = method
  if (approvalSeconds !== null)
    return <Plural value={approvalSeconds} other="Setujui di aplikasinya dalam # detik setelah diminta" />
  if (expiresInSeconds < 3600) return <Plural value={expiresInSeconds / 60} other="Bayar dalam # menit" />
  return <Plural value={expiresInSeconds / 3600} other="Bayar dalam # jam" />
}

/** The methods that are on offer, wallets first: most people pay so. */
export function MethodPicker({
  methods,
  amount,
  chosen,
  onChoose,
}: {
  methods: PaymentMethodView[]
  amount: number
  chosen: MethodId | null
  onChoose: (id: MethodId) => void
}) {
  const { t } = useLingui()
  const groups = [
    { name: t`QRIS dan dompet digital`, of: methods.filter(({ kind }) => kind !== 'bank') },
    { name: t`Transfer bank`, of: methods.filter(({ kind }) => kind === 'bank') },
  ].filter(({ of }) => of.length > 0)
  return (
    <div className="grid gap-6">
      {groups.map(({ name, of }) => (
        <fieldset key={name} className="card-surface grid divide-y divide-line overflow-hidden">
          <legend className="float-left w-full px-4 py-3 font-semibold">{name}</legend>
          {of.map((method) => {
            const { id, min, max } = method
            const possible = takes(method, amount)
            const [from, to] = [formatRupiah(min), formatRupiah(max)]
            return (
              <label
                key={id}
                className={`flex min-h-16 items-center gap-3.5 px-4 py-2.5 has-checked:bg-soft has-checked:text-on-soft ${possible ? 'cursor-pointer' : ''}`}
              >
                <img src={method.image} alt="" width={40} height={40} />
                <span className="grid min-w-0 flex-1">
                  <span className="font-semibold">{method.name}</span>
                  <span className="text-xs leading-relaxed">
                    {t`${from} sampai ${to}`}
                    <span className="block">
                      {method.driver === 'manual' ? t`Transfer manual, kami periksa dulu` : <HowLong method={method} />}
                    </span>
                    {!possible && <span className="block font-semibold">{t`Tidak bisa untuk jumlah ini`}</span>}
                  </span>
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
          })}
        </fieldset>
      ))}
    </div>
  )
}
