import { useLingui } from '@lingui/react/macro'
import { Crop, PaintBucket, Sparkles, UserRound } from 'lucide-react'
import type { PhotoCheckView } from '#tools/contract/views.ts'
import { type OptionSection, OptionSections, Range } from '#tools/ui/controls.tsx'
import { brushIn, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { SampleChoice } from '#tools/ui/sample-choice.tsx'
import { useOthers } from '#tools/ui/use-others.ts'
import { useSamples } from '#tools/ui/use-samples.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type HeadshotBackdrop, type HeadshotParams, headshot } from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'
import type { HeadshotState } from './stage-state.ts'
import { Styles } from './styles.tsx'

type Props = PanelProps<HeadshotParams, HeadshotState>

/**
 * Options of the headshot tool: the backdrop, chosen by how one's own head looks before it, light
 * and retouch, and the crop.
 */
export function HeadshotPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const { light, retouch } = headshot.defaults
  const isGenerated = params.style !== 'photo'
  const makesPortraits = useOthers('headshot')('portrait')
  const style: OptionSection = {
    id: 'style',
    label: t`Gaya`,
    icon: UserRound,
    content: <Styles {...props} />,
    changed: isGenerated,
  }
  const sections: OptionSection[] = [
    ...(phase === 'before' && (makesPortraits || isGenerated) ? [style] : []),
    ...(isGenerated
      ? []
      : [
          { id: 'backdrop', label: t`Latar`, icon: PaintBucket, content: <Backdrops {...props} /> },
          {
            id: 'light',
            label: t`Cahaya`,
            icon: Sparkles,
            content: <Studio {...props} />,
            changed: params.light !== light || params.retouch !== retouch,
          },
        ]),
    { id: 'crop', label: t`Potongan`, icon: Crop, content: <Crops {...props} />, changed: params.ratio !== '3:4' },
    ...(isGenerated ? [] : correction),
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}

/**
 * Cut-outs that checks have brought, by their photograph: a finished result shows its samples with
 * the same one.
 */
const known = new WeakMap<Blob, string>()

function cutoutOf(photo: Blob | undefined, check: PhotoCheckView | null): string | null {
  const found = check?.facts.cutout
  if (photo && typeof found === 'string') known.set(photo, found)
  return (photo && known.get(photo)) ?? null
}

function Backdrops({ params, onChange, files, check }: Props) {
  const { t } = useLingui()
  const samples = useSamples<HeadshotBackdrop>(workerUrl, cutoutOf(files.picture?.[0], check))
  const names: { value: HeadshotBackdrop; label: string }[] = [
    { value: 'grey', label: t`Abu-abu` },
    { value: 'white', label: t`Putih` },
    { value: 'charcoal', label: t`Arang` },
    { value: 'sand', label: t`Pasir` },
    { value: 'blue', label: t`Biru` },
    { value: 'sage', label: t`Hijau` },
    { value: 'canvas', label: t`Kanvas` },
    { value: 'window', label: t`Jendela` },
    { value: 'office', label: t`Kantor` },
    { value: 'garden', label: t`Taman` },
    { value: 'evening', label: t`Malam` },
  ]
  return (
    <SampleChoice
      label={t`Latar headshot`}
      options={names}
      value={params.backdrop}
      onChange={(backdrop) => onChange({ backdrop })}
      samples={samples}
      portrait
    />
  )
}

function Studio({ params, onChange }: Props) {
  const { t } = useLingui()
  const percent = (value: number) => `${Math.round(value * 100)}%`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Range
        label={t`Cahaya`}
        value={Math.round(params.light * 100)}
        text={percent(params.light)}
        min={0}
        max={100}
        step={5}
        onChange={(value) => onChange({ light: value / 100 })}
      />
      <Range
        label={t`Retus`}
        value={Math.round(params.retouch * 100)}
        text={percent(params.retouch)}
        min={0}
        max={100}
        step={5}
        onChange={(value) => onChange({ retouch: value / 100 })}
      />
    </div>
  )
}

function Crops({ params, onChange, phase, check }: Props) {
  const { t } = useLingui()
  const several = (check?.faces.length ?? 0) > 1
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {phase === 'before' && several && params.style === 'photo' && (
        <Segmented
          label={t`Foto bersama`}
          choices={[
            { value: 'each', label: t`Satu per wajah` },
            { value: 'group', label: t`Bersama` },
          ]}
          value={params.mode}
          onChange={(mode) => onChange({ mode })}
        />
      )}
      {params.mode === 'each' && (
        <Segmented
          label={t`Bentuk`}
          choices={[
            { value: '3:4', label: '3:4' },
            { value: '4:5', label: '4:5' },
            { value: '1:1', label: '1:1' },
          ]}
          value={params.ratio}
          onChange={(ratio) => onChange({ ratio })}
        />
      )}
    </div>
  )
}
