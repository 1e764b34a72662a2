import { useLingui } from '@lingui/react/macro'
import { Box, Sparkles, User } from 'lucide-react'
import { Segmented } from '#ui/segmented.tsx'

type Subject = 'auto' | 'person' | 'object'

export function SubjectChoice({ value, onChange }: { value: Subject; onChange: (subject: Subject) => void }) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t`Subjek yang dipertahankan`}
      value={value}
      onChange={onChange}
      choices={{
        auto: { label: t`Otomatis`, icon: Sparkles },
        person: { label: t`Orang`, icon: User },
        object: { label: t`Benda`, icon: Box },
      }}
    />
  )
}
