import { useLingui } from '@lingui/react/macro'
import { Switch } from '#tools/ui/controls.tsx'
import { Segmented } from '#ui/segmented.tsx'
import type { PrintSheet } from '../contract/definition.ts'
import type { PassportPanelProps } from './sizes.tsx'

type SheetChoice = 'none' | PrintSheet['paper']
type Mix = 'this' | 'mixed'

/** As many of this photo as fit, or the three usual sizes. */
const photosOf: Record<Mix, PrintSheet['photos']> = {
  this: [{ preset: 'this', count: 0 }],
  mixed: [
    { preset: '4x6', count: 2 },
    { preset: '3x4', count: 3 },
    { preset: '2x3', count: 0 },
  ],
}

export function Sheets({ params, onChange }: PassportPanelProps) {
  const { t } = useLingui()
  const [sheet] = params.sheets
  const choose = (paper: SheetChoice) =>
    onChange({
      sheets: paper === 'none' ? [] : [{ file: 'pdf', photos: photosOf.this, cutMarks: true, ...sheet, paper }],
    })
  const change = (next: Partial<PrintSheet>) => sheet && onChange({ sheets: [{ ...sheet, ...next }] })
  const mix: Mix = sheet && sheet.photos.length > 1 ? 'mixed' : 'this'
  return (
    <div className="grid gap-2">
      <Segmented
        label={t`Lembar cetak`}
        value={sheet?.paper ?? 'none'}
        onChange={choose}
        choices={{ none: t`Tanpa lembar`, '4r': '4R', a4: 'A4' }}
      />
      {sheet ? (
        <>
          <div className="grid grid-cols-[3fr_2fr] gap-2">
            <Segmented
              label={t`Isi lembar`}
              value={mix}
              onChange={(next) => change({ photos: photosOf[next] })}
              choices={{ this: t`Ukuran ini`, mixed: t`4×6, 3×4, 2×3` }}
            />
            <Segmented
              label={t`Berkas lembar`}
              value={sheet.file}
              onChange={(file) => change({ file })}
              choices={{ pdf: 'PDF', jpeg: 'JPG' }}
            />
          </div>
          <Switch label={t`Tanda potong`} value={sheet.cutMarks} onChange={(cutMarks) => change({ cutMarks })} />
          <p className="text-muted text-xs">{t`Cetak dengan skala 100%, tanpa penyesuaian halaman, supaya milimeternya tepat.`}</p>
        </>
      ) : (
        <p className="text-muted text-xs">{t`Hasil kedua: selembar 4R atau A4 penuh pasfoto, siap dicetak dan digunting.`}</p>
      )}
    </div>
  )
}
