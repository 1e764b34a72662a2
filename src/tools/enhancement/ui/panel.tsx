import { useLingui } from '@lingui/react/macro'
import { FileText, Maximize2, ScanSearch, SlidersHorizontal, Sun } from 'lucide-react'
import { OptionSections, Range, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useOthers } from '#tools/ui/use-others.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type EnhancementParams, enhancement } from '../contract/definition.ts'
import type { DetailStage } from './stage-state.ts'

type Props = PanelProps<EnhancementParams, DetailStage>
type Share = 'denoise' | 'sharpness' | 'faces' | 'light' | 'colour'

/** Options of the enhancer. */
export function EnhancementPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const { defaults } = enhancement
  const changed = (...names: Share[]) => names.some((name) => params[name] !== defaults[name])
  const size = {
    id: 'size',
    label: t`Ukuran`,
    icon: Maximize2,
    content: <Scale {...props} />,
    changed: params.scale !== defaults.scale || params.invent,
  }
  const detail = {
    id: 'detail',
    label: t`Detail`,
    icon: SlidersHorizontal,
    content: (
      <div className="flex flex-col">
        <Amount {...props} name="denoise" label={t`Bersihkan`} />
        <Amount {...props} name="sharpness" label={t`Ketajaman`} />
        <Amount {...props} name="faces" label={t`Mata dan bibir`} />
      </div>
    ),
    changed: changed('denoise', 'sharpness', 'faces'),
  }
  const sections = [
    // What AI adds is as sharp as it makes it.
    ...(params.invent ? [] : [detail]),
    {
      id: 'light',
      label: t`Cahaya`,
      icon: Sun,
      content: (
        <div className="flex flex-col">
          <Amount {...props} name="light" label={t`Cahaya`} />
          <Amount {...props} name="colour" label={t`Warna`} />
        </div>
      ),
      changed: changed('light', 'colour'),
    },
    {
      id: 'file',
      label: t`Berkas`,
      icon: FileText,
      content: (
        <Switch
          label={t`Simpan data kamera`}
          hint={t`Kamera, tanggal, dan profil warna disimpan; lokasi dihapus. Kirim foto besar dengan ukuran asli.`}
          checked={params.metadata}
          onChange={(metadata) => props.onChange({ metadata })}
        />
      ),
      changed: params.metadata,
    },
  ]
  if (phase === 'before') return <OptionSections sections={[size, ...sections]} />
  const near = stage && {
    id: 'near',
    label: t`Dari dekat`,
    icon: ScanSearch,
    content: <Near stage={stage} />,
  }
  return <OptionSections sections={near ? [...sections, near] : sections} />
}

/**
 * Before the run a tap on the picture is enough; on the result it moves the line between before and
 * after.
 */
function Near({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  return (
    <Switch
      label={t`Lihat satu bagian dari dekat`}
      hint={t`Ketuk foto untuk memilih bagiannya. Mata dan bibir baru berubah di hasilnya.`}
      checked={stage.state.spot !== null}
      onChange={(shown) => stage.onChange(() => ({ spot: shown ? { x: 0.5, y: 0.4 } : null }))}
    />
  )
}

function Scale({ params, onChange }: Props) {
  const { t } = useLingui()
  const invents = useOthers('enhancement')('addDetail')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Segmented
        label={t`Ukuran hasil`}
        value={String(params.scale)}
        onChange={(scale) => onChange({ scale: Number(scale) as EnhancementParams['scale'] })}
        choices={[
          { value: '1', label: t`Tetap` },
          { value: '2', label: '2×' },
          { value: '4', label: '4×' },
        ]}
      />
      {(invents || params.invent) && (
        <Switch
          label={t`Detail baru dari AI`}
          hint={t`AI menambah detail yang tidak ada di foto; wajah tetap dari fotomu. Harganya dua kali.`}
          checked={params.invent}
          onChange={(invent) => onChange({ invent })}
        />
      )}
    </div>
  )
}

function Amount({ params, onChange, name, label }: Props & { name: Share; label: string }) {
  const percent = Math.round(params[name] * 100)
  return (
    <Range
      label={label}
      value={percent}
      text={`${percent}%`}
      min={0}
      max={100}
      step={5}
      onChange={(value) => onChange({ [name]: value / 100 })}
    />
  )
}
