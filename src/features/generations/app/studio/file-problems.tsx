import { useLingui } from '@lingui/react/macro'
import { TriangleAlert, X } from 'lucide-react'
import { IconButton } from '#ui/button.tsx'

export function FileProblems({ sentences, onClose }: { sentences: string[]; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <div
      role="alert"
      className="alert fixed inset-x-3 top-[calc(env(safe-area-inset-top)+3.75rem)] z-45 mx-auto max-w-lg items-start gap-3 border-error bg-base-100 py-1 pr-1 text-base shadow-lift"
    >
      <TriangleAlert aria-hidden className="mt-3 size-5 shrink-0 text-error" />
      <div className="min-w-0 flex-1 py-2.5 leading-relaxed">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="text-muted text-sm">{t`Tidak ada kredit yang terpakai.`}</p>
      </div>
      <IconButton icon={X} label={t`Tutup pesan`} onClick={onClose} />
    </div>
  )
}
