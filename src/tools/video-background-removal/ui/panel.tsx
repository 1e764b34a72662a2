import { useLingui } from '@lingui/react/macro'
import { PaintBucket, ScanFace, Timer } from 'lucide-react'
import { BackgroundPicker } from '#tools/ui/background-picker.tsx'
import { type OptionSection, OptionSections, optionProps, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { SubjectChoice } from '#tools/ui/subject-choice.tsx'
import { previewSeconds, type VideoBackgroundRemovalParams } from '../contract/definition.ts'

type Props = PanelProps<VideoBackgroundRemovalParams>

export function VideoBackgroundRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase } = props
  const transparent = params.background.type === 'transparent'
  const forEditors = t`Hasilnya WebM transparan untuk aplikasi edit video. WhatsApp dan Instagram tidak bisa memutarnya.`
  const background: OptionSection = {
    id: 'background',
    label: t`Latar`,
    icon: PaintBucket,
    content: (
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
        {transparent && phase !== 'after' && <p className="text-muted text-xs leading-snug">{forEditors}</p>}
        <BackgroundPicker {...props} {...optionProps(props, 'background')} />
        {!transparent && (
          <p className="text-muted text-sm leading-relaxed">{t`Hasilnya MP4 yang bisa diputar di mana saja.`}</p>
        )}
      </div>
    ),
    changed: params.background.type !== 'color',
  }
  if (phase === 'after') {
    return (
      <>
        <p className="text-muted text-sm leading-relaxed">
          {params.preview
            ? t`Ini pratinjau ${previewSeconds} detik pertama, dalam ukuran kecil. Videomu yang utuh belum diproses.`
            : transparent
              ? forEditors
              : t`Latarnya boleh diganti lagi, gratis.`}
        </p>
        <OptionSections sections={[background]} />
      </>
    )
  }
  const sections: OptionSection[] = [
    background,
    {
      id: 'subject',
      label: t`Subjek`,
      icon: ScanFace,
      content: <SubjectChoice {...optionProps(props, 'subject')} />,
      changed: params.subject !== 'auto',
    },
    {
      id: 'preview',
      label: t`Pratinjau`,
      icon: Timer,
      content: (
        <Switch
          label={t`Coba ${previewSeconds} detik pertama, gratis`}
          hint={t`Ukurannya kecil, hanya untuk melihat hasilnya. Matikan lagi untuk seluruh video.`}
          {...optionProps(props, 'preview')}
        />
      ),
      changed: params.preview,
    },
  ]
  return <OptionSections sections={sections} />
}
