import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { apiFetch } from '#app/api.ts'
import { errorText } from '#app/errors.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { Panel } from '../ui/page.tsx'

/** A picture that staff open on purpose; opening it is recorded. */
export function PrivatePicture({ path, alt, label }: { path: string; alt: string; label: string }) {
  const [url, setUrl] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  const open = async () => {
    setBusy(true)
    try {
      setUrl(URL.createObjectURL(await (await apiFetch(path, { headers: { accept: 'image/*' } })).blob()))
    } catch (error) {
      showSnackbar('error', errorText(error))
    }
    setBusy(false)
  }
  if (url) return <img src={url} alt={alt} className="checker max-h-96 w-full rounded-field object-contain" />
  return (
    <Button variant="outline" busy={busy} onClick={() => void open()}>
      {label}
    </Button>
  )
}

/** The picture by which a buyer proves a transfer. */
export function Proof({ orderId }: { orderId: string }) {
  const { t } = useLingui()
  return (
    <Panel title={t`Bukti transfer`}>
      <div className="adm-body">
        <PrivatePicture
          path={`/api/admin/orders/${orderId}/proof`}
          alt={t`Bukti transfer dari pembeli`}
          label={t`Buka gambarnya`}
        />
      </div>
    </Panel>
  )
}
