import { Plural, useLingui } from '@lingui/react/macro'
import { CircleCheck, Clock } from 'lucide-react'
import { serverNow } from '#client/device/server-time.ts'
import { hourMs } from '#shared/time.ts'
import { refundRequestHours } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'

export function canRequestRefund({ status, credits, finishedAt, refundRequest }: GenerationView): boolean {
  if (status !== 'succeeded' || credits === 0 || finishedAt === null || refundRequest !== null) return false
  return serverNow() - Date.parse(finishedAt) < refundRequestHours * hourMs
}

export function isRemovedByRefund({ status, refundRequest, outputs }: GenerationView): boolean {
  return status === 'succeeded' && refundRequest?.status === 'refunded' && outputs.length === 0
}

export function RefundNotice({ generation }: { generation: GenerationView }) {
  const { t } = useLingui()
  const { refundRequest } = generation
  if (!refundRequest) return null
  const Icon = refundRequest.status === 'refunded' ? CircleCheck : Clock
  return (
    <p role="status" className="flex gap-2.5 rounded-field bg-soft px-3.5 py-2.5 text-on-soft text-sm leading-snug">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {refundRequest.status === 'refunded' && (
          <Plural value={refundRequest.refunded} other="# kredit sudah kembali ke saldomu." />
        )}
        {refundRequest.status === 'waiting' && t`Permintaan kreditmu sedang kami periksa. Jawabannya muncul di sini.`}
        {refundRequest.status === 'declined' &&
          t`Permintaan kreditmu sudah kami periksa. Kreditnya tidak dikembalikan.`}
      </span>
    </p>
  )
}
