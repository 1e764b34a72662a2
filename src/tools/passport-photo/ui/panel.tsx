import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX, ListChecks, PaintBucket, Printer, Ruler, Shirt, TriangleAlert } from 'lucide-react'
import type { CheckItemView } from '#tools/contract/schemas.ts'
import { ChoiceRow, OptionSections, optionProps, Switch } from '#tools/ui/controls.tsx'
import type { Correction } from '#tools/ui/correction.ts'
import { brushIn, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { Segmented } from '#ui/segmented.tsx'
import {
  backgroundColour,
  birthYearColour,
  birthYears,
  officialColours,
  type PassportBackground,
  type PassportPhotoParams,
  type PrintSheet,
} from '../contract/definition.ts'
import { findPreset, ruleOf } from '../contract/presets.ts'
import { PhotoSample, SampleButton, useSmallPerson } from './samples.tsx'
import { SheetPreview } from './sheet-preview.tsx'
import { type PassportPanelProps, Sizes } from './sizes.tsx'
import { usePresets } from './use-presets.tsx'

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

function Sheets({ params, onChange, person, presets, rule, colour }: PassportPanelProps) {
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
          <div className="flex items-center gap-3">
            <SheetPreview
              sheet={sheet}
              rule={rule}
              presets={presets}
              className="h-24 max-w-1/2 shrink-0 rounded-[3px] ring-1 ring-base-content/20"
              photo={(own, { x, y, height }) => (
                <g transform={`translate(${x} ${y})`}>
                  <PhotoSample person={person} rule={own} colour={colour} height={height} />
                </g>
              )}
            />
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Switch label={t`Tanda potong`} value={sheet.cutMarks} onChange={(cutMarks) => change({ cutMarks })} />
              <p className="text-muted text-xs">{t`Cetak dengan skala 100%, tanpa penyesuaian halaman, supaya milimeternya tepat.`}</p>
            </div>
          </div>
        </>
      ) : (
        <p className="text-muted text-xs">{t`Hasil kedua: selembar 4R atau A4 penuh pasfoto, siap dicetak dan digunting.`}</p>
      )}
    </div>
  )
}

export function PassportPhotoPanel(props: PanelProps<PassportPhotoParams, Correction>) {
  const { t } = useLingui()
  const { params, check, files, phase, stage } = props
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const person = useSmallPerson(files.picture?.[0], check?.facts)
  const presets = usePresets()
  const dresses = useProvidedTasks('passport-photo')('outfit')
  const rule = ruleOf(params, presets) ?? (findPreset('4x6') as NonNullable<ReturnType<typeof findPreset>>).rule
  const shared = { ...props, person, presets, rule, colour: backgroundColour(params.background) }
  const sections = [
    { id: 'size', label: t`Ukuran`, icon: Ruler, content: <Sizes {...shared} /> },
    phase === 'before' &&
      (dresses || params.outfit !== 'own') && {
        id: 'outfit',
        label: t`Pakaian`,
        icon: Shirt,
        content: <Outfits {...props} />,
        changed: params.outfit !== 'own',
      },
    { id: 'background', label: t`Latar`, icon: PaintBucket, content: <Backgrounds {...shared} /> },
    {
      id: 'print',
      label: t`Cetak`,
      icon: Printer,
      content: <Sheets {...shared} />,
      changed: params.sheets.length > 0,
    },
    // Has its place before the findings arrive, so that no button moves under a finger.
    phase === 'before' &&
      files.picture?.length === 1 && {
        id: 'checks',
        label: t`Periksa`,
        icon: ListChecks,
        content: <CheckList checks={check?.checks ?? []} />,
        changed: check?.checks.some(({ status }) => status !== 'ok') ?? false,
      },
    correction,
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}

function Outfits(props: Pick<PanelProps<PassportPhotoParams>, 'params' | 'onChange'>) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Segmented
        label={t`Pakaian di foto`}
        choices={{ own: t`Asli`, shirt: t`Kemeja putih`, suit: t`Jas`, hijab: t`Hijab` }}
        {...optionProps(props, 'outfit')}
      />
      <p className="text-muted text-xs">
        {t`AI mengganti pakaianmu, wajahmu tidak diubah. Harganya dua kali, dan kembali kalau hasilnya tidak mirip.`}
      </p>
    </div>
  )
}

function CheckList({ checks }: { checks: readonly CheckItemView[] }) {
  const { t } = useLingui()
  const words = { ok: t`Baik`, warning: t`Perhatikan`, failed: t`Tidak sesuai` }
  const marks = {
    ok: { Icon: CircleCheck, colour: 'text-success' },
    warning: { Icon: TriangleAlert, colour: 'text-warning' },
    failed: { Icon: CircleX, colour: 'text-error' },
  }
  const order = ['failed', 'warning', 'ok']
  if (checks.length === 0)
    return (
      <p className="text-muted text-sm">{t`Belum diperiksa. Posisi kepala, cahaya, dan mata dinilai di sini, gratis.`}</p>
    )
  const sorted = checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it where the sheet is low
      tabIndex={0}
      className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-3 gap-y-1 text-sm"
      aria-label={t`Hasil pemeriksaan`}
    >
      {sorted.map(({ code, msg, status }) => {
        const { Icon, colour } = marks[status]
        return (
          <li key={code} className={`flex gap-1.5 leading-snug ${status === 'ok' ? '' : 'col-span-full'}`}>
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} />
            <span>
              <span className="sr-only">{words[status]}: </span>
              {msg}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Backgrounds({ params, onChange, person, rule }: PassportPanelProps) {
  const { t } = useLingui()
  const { background } = params
  const set = (next: PassportBackground) => onChange({ background: next })
  const year = background.type === 'birth-year' ? background.year : 1995
  const foreigner = background.type === 'birth-year' && background.foreigner
  const own = background.type === 'color' ? background.color : '#C9D3DC'
  const sample = (colour: string) => <PhotoSample person={person} rule={rule} colour={colour} height={52} />
  const names = { red: t`Merah`, blue: t`Biru`, white: t`Putih`, orange: t`Oranye` }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <ChoiceRow label={t`Pilihan latar`} className="gap-1 lg:grid-cols-4">
        {(['red', 'blue', 'white'] as const).map((type) => (
          <SampleButton key={type} name={names[type]} checked={background.type === type} onSelect={() => set({ type })}>
            {sample(officialColours[type])}
          </SampleButton>
        ))}
        <SampleButton
          name={t`Tahun lahir`}
          checked={background.type === 'birth-year'}
          onSelect={() => set({ type: 'birth-year', year, foreigner })}
        >
          {sample(officialColours[birthYearColour(year, foreigner)])}
        </SampleButton>
        <label className="relative flex w-17 shrink-0 cursor-pointer flex-col items-center gap-1 rounded-xl px-1 py-1.5 text-xs has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-primary lg:w-auto">
          {sample(own)}
          <span className={background.type === 'color' ? 'font-semibold' : ''}>{t`Warna`}</span>
          <input
            type="color"
            aria-label={t`Warna latar sendiri`}
            value={own}
            onChange={({ target }) => set({ type: 'color', color: target.value })}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </label>
      </ChoiceRow>
      {background.type === 'birth-year' && (
        <div className="flex flex-wrap items-center gap-x-4">
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <span className="font-medium">{t`Tahun lahir`}</span>
            <input
              type="number"
              inputMode="numeric"
              className="input min-h-11 w-24"
              defaultValue={year}
              min={birthYears.min}
              max={birthYears.max}
              onChange={({ target }) => {
                const next = target.valueAsNumber
                if (next >= birthYears.min && next <= birthYears.max)
                  set({ type: 'birth-year', year: Math.round(next), foreigner })
              }}
            />
          </label>
          <span className="text-muted text-xs">
            {t`Latar: ${names[birthYearColour(year, foreigner)]}. Ganjil merah, genap biru, warga asing oranye.`}
          </span>
          <div className="w-full">
            <Switch
              label={t`Warga negara asing`}
              value={foreigner}
              onChange={(checked) => set({ type: 'birth-year', year, foreigner: checked })}
            />
          </div>
        </div>
      )}
    </div>
  )
}
