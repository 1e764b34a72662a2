import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/button.tsx'
import { copyText } from './copy-text.ts'

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useLingui()
  const said = {
    done: t`Kode pemulihan disalin`,
    failed: t`Tidak bisa menyalin. Catat kodenya dengan tangan.`,
  }
  return (
    <div className="grid gap-5">
      <p className="text-muted leading-relaxed">
        {t`Simpan kode ini di tempat aman. Tanpa ponselmu, masing-masing bisa dipakai sekali untuk masuk. Kode ini tidak ditampilkan lagi.`}
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-box bg-soft px-5 py-4 font-mono text-on-soft">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <Button variant="outline" onClick={() => void copyText(codes.join('\n'), said)}>
        {t`Salin semua`}
      </Button>
      <Button size="lg" onClick={onDone}>
        {t`Sudah kusimpan`}
      </Button>
    </div>
  )
}
