import { useLingui } from '@lingui/react/macro'
import { copyText } from '#ui/actions.ts'
import { Button } from '#ui/button.tsx'

export function ShownSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useLingui()
  const messages = { done: t`Kunci disalin`, failed: t`Tidak bisa menyalin. Tekan lama kuncinya.` }
  return (
    <div className="grid gap-5">
      <p className="text-muted leading-relaxed">
        {t`Dengan kunci ini servermu memeriksa bahwa kabarnya benar dari kami. Simpan sekarang; kunci ini tidak ditampilkan lagi.`}
      </p>
      <code className="wrap-anywhere select-all rounded-box bg-soft px-5 py-4 text-on-soft text-sm">{secret}</code>
      <Button variant="outline" onClick={() => void copyText(secret, messages)}>
        {t`Salin kunci`}
      </Button>
      <Button size="lg" onClick={onDone}>
        {t`Sudah kusimpan`}
      </Button>
    </div>
  )
}
