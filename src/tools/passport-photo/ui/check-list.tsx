import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { CheckItemView } from '#tools/contract/views.ts'

export function CheckList({ checks }: { checks: readonly CheckItemView[] }) {
  const { t } = useLingui()
  const words = { ok: t`Baik`, warning: t`Perhatikan`, failed: t`Tidak sesuai` }
  const marks = {
    ok: { Icon: CircleCheck, colour: 'text-success' },
    warning: { Icon: TriangleAlert, colour: 'text-warning' },
    failed: { Icon: CircleX, colour: 'text-error' },
  }
  const order = ['failed', 'warning', 'ok']
  const sorted = checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <ul
      className="grid max-h-40 grid-cols-2 gap-x-3 gap-y-1 overflow-y-auto text-sm lg:max-h-none"
      aria-label={t`Hasil pemeriksaan`}
    >
      {sorted.map(({ code, msg, status }) => {
        const { Icon, colour } = marks[status]
        return (
          <li key={code} className={`flex gap-1.5 leading-snug ${status === 'ok' ? '' : 'col-span-2'}`}>
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} />
            <span>
              <span className="sr-only">{words[status]}: </span>
              {msg}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
