import { useLingui } from '@lingui/react/macro'
import { History } from 'lucide-react'
import { mainInput, maxFiles, takesVideo } from './inputs.ts'
import { NoteRow } from './note-row.tsx'
import { hasPictures } from './studio-state.ts'
import type { StudioProps } from './use-studio.ts'

export function ReplacedNotice({ page: { definition }, state, dispatch }: StudioProps) {
  const { t } = useLingui()
  if (!state.replaced) return null
  const several = hasPictures(state) && maxFiles(definition, mainInput(definition)) > 1
  const combine = { label: t`Gabungkan`, onChoose: () => dispatch({ type: 'combined' }) }
  const restore = { label: t`Pakai lagi`, onChoose: () => dispatch({ type: 'restored' }) }
  return (
    <NoteRow
      icon={History}
      text={takesVideo(definition) ? t`Video tadi disimpan` : t`Foto tadi disimpan`}
      choices={several ? [combine, restore] : [restore]}
    />
  )
}
