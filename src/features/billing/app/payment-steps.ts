import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type MethodId, paymentMethods } from '../methods.ts'

/** Where to enter the number of a virtual account, in each bank's own app. */
const bankMenus: Partial<Record<MethodId, MessageDescriptor>> = {
  bca: msg`Buka BCA mobile, pilih m-Transfer, lalu BCA Virtual Account.`,
  bri: msg`Buka BRImo, pilih BRIVA, lalu Pembayaran Baru.`,
  bni: msg`Buka aplikasi BNI, pilih Transfer, lalu Virtual Account Billing.`,
  mandiri: msg`Buka Livin' by Mandiri, pilih Bayar, lalu Virtual Account.`,
  bsi: msg`Buka aplikasi BSI, pilih Bayar, lalu Virtual Account.`,
  cimb_niaga: msg`Buka OCTO Mobile, pilih Transfer, lalu Virtual Account.`,
}

const account = [
  msg`Tempel nomor virtual account di atas.`,
  msg`Cocokkan nama dan jumlahnya, lalu masukkan PIN.`,
  msg`Dari bank lain atau ATM: pilih transfer ke virtual account, dengan nomor yang sama.`,
]

/** How to pay by a method, step by step; none for a code to scan, which says it itself. */
export function paymentSteps(method: MethodId, { hasNumber }: { hasNumber: boolean }): MessageDescriptor[] {
  const { kind, name, approvalSeconds } = paymentMethods[method]
  const menu = bankMenus[method]
  if (kind === 'bank') return hasNumber && menu ? [menu, ...account] : []
  if (kind === 'qris') return []
  return [
    msg`Ketuk Bayar sekarang.`,
    approvalSeconds === null
      ? msg`Setujui pembayarannya di aplikasi ${name}.`
      : msg`Buka aplikasi ${name} dan setujui permintaannya dalam ${approvalSeconds} detik.`,
    msg`Kembali ke halaman ini. Kreditmu masuk sendiri.`,
  ]
}
