import { useLingui } from '@lingui/react/macro'
import { FileText, Maximize2, ScanSearch, SlidersHorizontal, Sun } from 'lucide-react'
import { OptionSections, optionProps, Range, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type EnhancementParams, enhancement } from '../contract/definition.ts'
import type { DetailStage } from './stage-state.ts'

type Props = PanelProps<EnhancementParams, DetailStage>
type Share = 'denoise' | 'sharpness' | 'faces' | 'light' | 'colour'

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
        <Range label={t`Bersihkan`} {...optionProps(props, 'denoise')} />
        <Range label={t`Ketajaman`} {...optionProps(props, 'sharpness')} />
        <Range label={t`Mata dan bibir`} {...optionProps(props, 'faces')} />
      </div>
    ),
    changed: changed('denoise', 'sharpness', 'faces'),
  }
  const near = stage && {
    id: 'near',
    label: t`Dari dekat`,
    icon: ScanSearch,
    content: <DetailSwitch stage={stage} />,
  }
  const sections = [
    phase === 'before' && size,
    // Sharpness of added detail is the provider's.
    !params.invent && detail,
    {
      id: 'light',
      label: t`Cahaya`,
      icon: Sun,
      content: (
        <div className="flex flex-col">
          <Range label={t`Cahaya`} {...optionProps(props, 'light')} />
          <Range label={t`Warna`} {...optionProps(props, 'colour')} />
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
          {...optionProps(props, 'metadata')}
        />
      ),
      changed: params.metadata,
    },
    phase === 'after' && near,
  ]
  return <OptionSections sections={sections} />
}

function DetailSwitch({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  return (
    <Switch
      label={t`Lihat satu bagian dari dekat`}
      hint={t`Ketuk foto untuk memilih bagiannya. Mata dan bibir baru berubah di hasilnya.`}
      value={stage.state.spot !== null}
      onChange={(shown) => stage.onChange(() => ({ spot: shown ? { x: 0.5, y: 0.4 } : null }))}
    />
  )
}

function Scale(props: Props) {
  const { t } = useLingui()
  const { params, onChange } = props
  const invents = useProvidedTasks('enhancement')('addDetail')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Segmented
        label={t`Ukuran hasil`}
        value={String(params.scale)}
        onChange={(scale) => onChange({ scale: Number(scale) as EnhancementParams['scale'] })}
        choices={{ 1: t`Tetap`, 2: '2×', 4: '4×' }}
      />
      {(invents || params.invent) && (
        <Switch
          label={t`Detail baru dari AI`}
          hint={t`AI menambah detail yang tidak ada di foto; wajah tetap dari fotomu. Harganya dua kali.`}
          {...optionProps(props, 'invent')}
        />
      )}
    </div>
  )
}
