import { Eye } from 'lucide-react'
import { useEffect } from 'react'
import { apiFetch } from '#client/api.ts'
import { Button } from './button.tsx'
import { useAction } from './use-action.ts'

/** Opening it is recorded in the audit log. */
export function PrivatePicture({ path, alt, label }: { path: string; alt: string; label: string }) {
  const open = useAction(async () => {
    const response = await apiFetch(path, { headers: { accept: 'image/*' } })
    return URL.createObjectURL(await response.blob())
  })
  const { data: url } = open
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  if (url) return <img src={url} alt={alt} className="checker max-h-96 w-full rounded-field object-contain" />
  return (
    <Button variant="outline" className="w-full" busy={open.isPending} icon={Eye} onClick={() => open.mutate()}>
      <span className="truncate">{label}</span>
    </Button>
  )
}
