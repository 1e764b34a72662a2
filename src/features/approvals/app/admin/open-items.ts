import { msg, plural } from '@lingui/core/macro'
import type { OpenItem } from '#features/admin/contributions.ts'

const path = '/admin/persetujuan'

export const approvalItems: OpenItem[] = [
  {
    count: 'creditApprovals',
    needs: 'credits',
    path,
    text: (open) => msg`${plural(open.creditApprovals, { other: 'pengaturan kredit menunggu persetujuan' })}`,
  },
  {
    count: 'orderApprovals',
    needs: 'money',
    path,
    text: (open) => msg`${plural(open.orderApprovals, { other: 'konfirmasi pesanan menunggu persetujuan' })}`,
  },
  {
    count: 'voucherApprovals',
    needs: 'shop',
    path,
    text: (open) => msg`${plural(open.voucherApprovals, { other: 'voucher menunggu persetujuan' })}`,
  },
]
