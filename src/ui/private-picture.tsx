import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button } from './button.tsx'
import { showSnackbar } from './snackbar.tsx'

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
    <Button
      variant="outline"
      className="w-full"
      busy={busy}
      icon={<Eye aria-hidden className="size-4" />}
      onClick={() => void open()}
    >
      <span className="truncate">{label}</span>
    </Button>
  )
}
