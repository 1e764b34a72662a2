import { useLingui } from '@lingui/react/macro'
import { Panel } from '#ui/admin/page.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'

/** The picture by which a buyer proves a transfer. */
export function Proof({ orderId }: { orderId: string }) {
  const { t } = useLingui()
  return (
    <Panel title={t`Bukti transfer`}>
      <div className="p-4">
        <PrivatePicture
          path={`/api/admin/orders/${orderId}/proof`}
          alt={t`Bukti transfer dari pembeli`}
          label={t`Buka gambarnya`}
        />
      </div>
    </Panel>
  )
}
