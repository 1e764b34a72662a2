import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { statusLabels } from '../labels.ts'
import { type OrderStatus, orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'

const statusTones: Record<OrderStatus, string> = {
  [orderStatus.awaiting]: 'badge-info',
  [orderStatus.unpaid]: 'badge-warning',
  [orderStatus.paid]: 'badge-success',
  [orderStatus.cancelled]: 'bg-base-300 text-base-content',
}

export function StatusBadge({ status }: Pick<OrderView, 'status'>) {
  const { i18n } = useLingui()
  return (
    <span className={`badge rounded-full border-0 font-semibold text-xs ${statusTones[status]}`}>
      {i18n._(statusLabels[status])}
    </span>
  )
}

/** What an order is called: its package, or its voucher. */
export function useOrderName(): (order: Pick<OrderView, 'package' | 'voucher'>) => string {
  const { t } = useLingui()
  return ({ package: bought, voucher }) => {
    if (bought) return t`Paket ${bought.name}`
    return t`Voucher ${voucher?.code ?? ''}`
  }
}

/** The page of an order: where it is paid, or what came of it. */
export const pathOfOrder = ({ id, status }: Pick<OrderView, 'id' | 'status'>): string =>
  `${status === orderStatus.paid ? '/payment-success' : '/checkout'}?order=${id}`

/** A line of a sum: what it is for, and how much. */
export function SumLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-muted">{name}</dt>
      <dd className="ml-auto text-right tabular-nums">{children}</dd>
    </div>
  )
}
