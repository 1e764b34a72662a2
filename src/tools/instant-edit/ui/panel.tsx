import { useLingui } from '@lingui/react/macro'
import { Dices, PenLine } from 'lucide-react'
import { OptionButton, OptionSections } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { type InstantEditParams, maxPrompt, maxSeed } from '../contract/definition.ts'

export function InstantEditPanel({ params, onChange, phase }: PanelProps<InstantEditParams>) {
  const { t } = useLingui()
  const { seed } = params
  const edits = useProvidedTasks('instant-edit')('edit')
  const section = { id: 'prompt', label: t`Perubahan`, icon: PenLine }
  if (phase === 'after') {
    const notice = (
      <div className="flex min-w-0 flex-col gap-1">
        <p>{params.prompt}</p>
        <p className="text-muted text-xs">
          {t`Belum pas? Desainer kami bisa mengerjakannya tanpa kredit: buka menu di atas.`}
        </p>
      </div>
    )
    return <OptionSections sections={[{ ...section, content: notice }]} />
  }
  const content = (
    <div className="flex min-w-0 flex-col gap-1">
      <input
        type="text"
        aria-label={t`Yang ingin kamu ubah`}
        placeholder={t`Misalnya: ganti langit mendung jadi biru cerah`}
        className="input min-h-11 w-full"
        maxLength={maxPrompt}
        value={params.prompt}
        onChange={({ target }) => onChange({ prompt: target.value })}
      />
      <p role="status" className="text-muted text-xs">
        {edits
          ? t`AI membuat ulang fotonya, jadi hal kecil bisa ikut berubah. Kalau gagal, kreditmu kembali.`
          : t`Sedang tidak ada AI yang bisa mengerjakannya. Minta desainer kami saja, gratis.`}
      </p>
      <OptionButton icon={Dices} onClick={() => onChange({ seed: 1 + (seed % maxSeed) })}>
        {t`Versi ${seed}, ketuk untuk yang lain`}
      </OptionButton>
    </div>
  )
  return <OptionSections sections={[{ ...section, content }]} />
}
