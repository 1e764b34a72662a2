import { useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button } from './button.tsx'

/** What was asked for did not come: says why, and asks again. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui()
  const missing = error instanceof ApiError && error.status === 404
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <TriangleAlert aria-hidden className="size-6 text-error" />
      <p className="max-w-sm">{errorText(error)}</p>
      {!missing && <Button variant="outline" onClick={onRetry}>{t`Coba lagi`}</Button>}
    </div>
  )
}
