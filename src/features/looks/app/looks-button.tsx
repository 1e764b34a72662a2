import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { type LooksProps, looksQuery } from './looks-query.ts'

const LooksSheet = lazyComponent(() => import('./looks-sheet.tsx'), 'LooksSheet', null)

/** Options that the person keeps under names: to apply, keep, rename and delete. */
export function LooksButton(props: LooksProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  // Asked for before it is opened, which may be offline.
  useQuery(looksQuery)
  return (
    <>
      <button type="button" className="btn btn-ghost px-3" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Bookmark aria-hidden className="size-5" />
        <span className="max-sm:sr-only">{t`Setelanku`}</span>
      </button>
      {open && <LooksSheet {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
