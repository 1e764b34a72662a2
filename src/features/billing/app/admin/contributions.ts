import { msg, plural } from '@lingui/core/macro'
import { ReceiptText } from 'lucide-react'
import { formatNumber } from '#client/format.ts'
import type { OpenItem, PaletteSearch, TimelineSection } from '#features/admin/contributions.ts'
import type { AdminOrderView } from '../../admin/schemas.ts'
import { entryLabels, statusLabels } from '../../labels.ts'
import { type OrderStatus, orderStatus } from '../../rules.ts'
import { orderReasonLabels } from './labels.ts'

export const orderItems: OpenItem[] = [
  {
    count: 'ordersAwaiting',
    needs: 'orders',
    path: `/admin/billing?status=${orderStatus.awaiting}`,
    text: (open) => msg`${plural(open.ordersAwaiting, { other: 'pesanan menunggu konfirmasi' })}`,
  },
  {
    count: 'paymentProblems',
    needs: 'orders',
    path: '/admin/billing?problem=true',
    text: (open) => msg`${plural(open.paymentProblems, { other: 'pembayaran bermasalah' })}`,
  },
]

/** Shows the requests of all three kinds. */
const approvalsPath = '/admin/persetujuan'

export const approvalItems: OpenItem[] = [
  {
    count: 'creditApprovals',
    needs: 'credits',
    path: approvalsPath,
    text: (open) => msg`${plural(open.creditApprovals, { other: 'pengaturan kredit menunggu persetujuan' })}`,
  },
  {
    count: 'orderApprovals',
    needs: 'money',
    path: approvalsPath,
    text: (open) => msg`${plural(open.orderApprovals, { other: 'konfirmasi pesanan menunggu persetujuan' })}`,
  },
  {
    count: 'voucherApprovals',
    needs: 'shop',
    path: approvalsPath,
    text: (open) => msg`${plural(open.voucherApprovals, { other: 'voucher menunggu persetujuan' })}`,
  },
]

export const differenceItem: OpenItem = {
  count: 'differences',
  needs: 'money',
  path: '/admin/pembukuan',
  text: (open) => msg`${plural(open.differences, { other: 'selisih pembukuan' })}`,
}

export const orderSearch: PaletteSearch = {
  name: msg`Pesanan`,
  icon: ReceiptText,
  path: 'orders',
  accepts: (search) => /@|^r-?\d|^[0-9a-f-]{36}$/i.test(search),
  choiceOf: ({ id, receiptNumber, buyer, package: bought, voucher }: AdminOrderView) => ({
    path: `/admin/billing/${id}`,
    text: receiptNumber ?? bought?.name ?? voucher?.code ?? id,
    note: buyer.email,
    value: `${receiptNumber} ${buyer.email} ${id}`,
  }),
}

export const orderSection: TimelineSection = {
  name: msg({ message: 'Pesanan', context: 'a single one' }),
  wordsOf: ({ what, state, detail }, { text }) => [
    [state, text(statusLabels[Number(what) as OrderStatus], what)].filter(Boolean).join(' · '),
    detail && text(orderReasonLabels[detail], detail),
  ],
  path: (id) => `/admin/billing/${id}`,
}

export const creditsSection: TimelineSection = {
  name: msg`Kredit`,
  wordsOf: ({ what, detail, amount }, { text }) => [
    `${text(entryLabels[what as keyof typeof entryLabels], what)} · ${(amount ?? 0) > 0 ? '+' : ''}${formatNumber(amount ?? 0)}`,
    detail,
  ],
}
