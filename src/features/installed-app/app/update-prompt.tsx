import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { busyAtom } from '#client/busy.ts'
import { Button } from '#ui/button.tsx'
import { PromptCard } from '#ui/prompt-card.tsx'
import { updateAtom } from './service-worker.ts'

export function UpdatePrompt() {
  const { t } = useLingui()
  const update = useAtomValue(updateAtom)
  const busy = useAtomValue(busyAtom)
  const [declined, setDeclined] = useState<typeof update>(null)
  const [taking, setTaking] = useState(false)
  return (
    <PromptCard
      actions={
        <>
          <Button variant="ghost" onClick={() => setDeclined(() => update)}>{t`Nanti`}</Button>
          <Button
            busy={taking}
            onClick={() => {
              setTaking(true)
              update?.()
            }}
          >{t`Perbarui`}</Button>
        </>
      }
    >
      {update !== null && !busy && declined !== update && (
        <p className="leading-relaxed">
          <strong className="block">{t`Versi baru sudah siap`}</strong>
          <span className="text-muted text-sm">{t`Sebentar saja, dan tidak ada yang hilang.`}</span>
        </p>
      )}
    </PromptCard>
  )
}
