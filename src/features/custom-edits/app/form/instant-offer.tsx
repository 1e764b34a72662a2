import { Plural, useLingui } from '@lingui/react/macro'
import { Sparkles } from 'lucide-react'
import { useLocation } from 'wouter'
import { saveDraft } from '#features/generations/app/generations.ts'
import { instantEdit, maxPrompt } from '#tools/instant-edit/contract/definition.ts'
import { isOffered, useTool } from '#tools/ui/tools-query.ts'
import { Button } from '#ui/button.tsx'

/** Hidden without a provider. */
export function InstantOffer({
  prompt,
  files,
}: {
  prompt: string
  files: readonly { file: File; output?: string | undefined }[]
}) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const tool = useTool(instantEdit.id)
  if (!isOffered(instantEdit, tool)) return null
  const open = async () => {
    const [first] = files
    const params = { ...instantEdit.defaults, prompt: prompt.trim().slice(0, maxPrompt) }
    const settings = { params, stage: null, shrink: true }
    if (first) {
      const { file, output } = first
      await saveDraft({ tool: instantEdit.id, files: [{ file, ...(output && { output }) }], settings })
    }
    navigate(instantEdit.route)
  }
  return (
    <div className="grid gap-3 rounded-box border border-line p-4">
      <p className="leading-relaxed">
        {t`Tidak mau menunggu? AI bisa membuat drafnya sekarang. Kalau belum pas, permintaanmu tetap bisa dikirim ke desainer.`}
      </p>
      <Button variant="soft" icon={Sparkles} onClick={() => void open()}>
        {t`Buat draf AI`} <span aria-hidden>·</span> <Plural value={tool.credits} one="# kredit" other="# kredit" />
      </Button>
    </div>
  )
}
