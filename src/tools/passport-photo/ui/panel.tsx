import { useLingui } from '@lingui/react/macro'
import { ListChecks, PaintBucket, Printer, Ruler, Shirt } from 'lucide-react'
import { OptionSections } from '#tools/ui/controls.tsx'
import type { Correction } from '#tools/ui/correction.ts'
import { brushIn, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useProvidedTasks } from '#tools/ui/use-others.ts'
import type { PassportPhotoParams } from '../contract/definition.ts'
import { findPreset, ruleOf } from '../contract/presets.ts'
import { backgroundColour } from '../contract/rule.ts'
import { Backgrounds } from './backgrounds.tsx'
import { CheckList } from './check-list.tsx'
import { Outfits } from './outfits.tsx'
import { useSmallPerson } from './portrait-sample.tsx'
import { Sheets } from './sheets.tsx'
import { Sizes } from './sizes.tsx'
import { usePresets } from './use-presets.tsx'

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
    // Placed below the rest, which must not move when it appears.
    check &&
      check.checks.length > 0 && {
        id: 'checks',
        label: t`Periksa`,
        icon: ListChecks,
        content: <CheckList checks={check.checks} />,
        changed: check.checks.some(({ status }) => status !== 'ok'),
      },
    correction,
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}
