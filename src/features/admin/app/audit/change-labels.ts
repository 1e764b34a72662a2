import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { statusLabels } from '#features/billing/labels.ts'
import { customEditLabels } from '#features/custom-edits/labels.ts'
import { roleLabels, voucherLabels } from '../labels.ts'

/** What is changed, by the name of its field in the log; a field without a word keeps its name. */
export const fieldLabels: Record<string, MessageDescriptor> = {
  active: msg`Aktif`,
  balance: msg`Saldo`,
  cents: msg`Harga paket`,
  code: msg`Kode`,
  credits: msg`Kredit`,
  days: msg`Hari`,
  designer: msg`Desainer`,
  disabled: msg`Nonaktif`,
  enabled: msg`Menyala`,
  file: msg`Berkas`,
  files: msg`Berkas`,
  idrPerUsd: msg`Rupiah per dolar`,
  kind: msg`Jenis`,
  limitPerUser: msg`Batas per orang`,
  limitTotal: msg`Batas total`,
  markRequired: msg`Tanda AI wajib`,
  message: msg`Pesan`,
  name: msg`Nama`,
  passkeys: msg`Kunci sandi`,
  position: msg`Urutan`,
  provider: msg`Mesin`,
  role: msg`Peran`,
  rule: msg`Aturan`,
  settled: msg`Diselesaikan`,
  status: msg`Status`,
  totp: msg`Aplikasi autentikator`,
  unit: msg`Kredit per satuan`,
  validFrom: msg`Mulai`,
  validUntil: msg`Sampai`,
  value: msg`Nilai`,
}

/** Values that people know by a word, by what the entry is about and the field. */
const valueLabels: Record<string, Record<string, MessageDescriptor>> = {
  'order.status': statusLabels,
  'custom_edit.status': customEditLabels,
  'account.role': roleLabels,
  'voucher.kind': voucherLabels,
}
const yesNo: Record<string, MessageDescriptor> = { true: msg`ya`, false: msg`tidak` }

export function valueLabel(kind: string, field: string, value: unknown): MessageDescriptor | undefined {
  const labels = typeof value === 'boolean' ? yesNo : valueLabels[`${kind}.${field}`]
  return labels?.[String(value)]
}
