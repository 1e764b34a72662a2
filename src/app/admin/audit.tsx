import { dutyLabels, roleLabels } from '#features/account/app/admin/contributions.ts'
import { AuditScreen } from '#features/audit/app/admin/audit-screen.tsx'
import { differenceLabels, voucherLabels } from '#features/billing/app/admin/labels.ts'
import { statusLabels } from '#features/billing/labels.ts'
import { fileRoleLabels } from '#features/custom-edits/app/admin/contributions.ts'
import { customEditLabels } from '#features/custom-edits/labels.ts'

const values = {
  'order.status': statusLabels,
  'custom_edit.status': customEditLabels,
  'custom_edit.role': fileRoleLabels,
  'account.role': roleLabels,
  'account.duty': dutyLabels,
  'voucher.kind': voucherLabels,
}

export const Audit = () => <AuditScreen subjectNames={{ difference: differenceLabels }} values={values} />
