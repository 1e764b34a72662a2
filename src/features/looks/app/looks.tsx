import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { BarButton } from '#ui/button.tsx'
import { type LooksProps, looksQuery } from './looks-query.ts'

const LooksSheet = lazyComponent(() => import('./looks-sheet.tsx'), 'LooksSheet', null)

export function LooksButton(props: LooksProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  // The sheet may open offline.
  useQuery(looksQuery)
  return (
    <>
      <BarButton icon={Bookmark} label={t`Setelanku`} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {open && <LooksSheet {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
