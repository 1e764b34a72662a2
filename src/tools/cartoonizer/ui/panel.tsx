import { useLingui } from '@lingui/react/macro'
import { ImageIcon, PaintBucket, Palette, Sun, WandSparkles } from 'lucide-react'
import { ChoiceRow, ColorPicker, OptionSections, optionProps, Range, Swatch, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { SampleChoice, useSamples } from '#tools/ui/samples.tsx'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { CartoonBackground, CartoonizerParams, CartoonStyle } from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'

const defaultColor = '#f4b400'

export function CartoonizerPanel(props: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const { params, phase } = props
  const isRedrawn = params.redraw !== 'none'
  const draws = useProvidedTasks('cartoonizer')('cartoon')
  const sections = [
    !isRedrawn && { id: 'style', label: t`Gaya`, icon: Palette, content: <Styles {...props} /> },
    phase === 'before' &&
      (draws || isRedrawn) && {
        id: 'redraw',
        label: t`Gambar ulang`,
        icon: WandSparkles,
        content: <Redraws {...props} />,
        changed: isRedrawn,
      },
    {
      id: 'background',
      label: t`Latar`,
      icon: PaintBucket,
      content: <Backgrounds {...props} />,
      changed: params.background.type !== 'picture' || params.sticker,
    },
  ]
  return <OptionSections sections={sections} />
}

function Styles(props: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const samples = useSamples<CartoonStyle>(workerUrl, props.files.picture?.[0])
  const styles: Record<CartoonStyle, string> = {
    comic: t`Komik`,
    anime: t`Anime`,
    ink: t`Tinta`,
    watercolour: t`Cat air`,
    'pop-art': t`Pop art`,
    pencil: t`Pensil`,
    poster: t`Poster`,
    pixel: t`Piksel`,
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <SampleChoice label={t`Gaya gambar`} choices={styles} {...optionProps(props, 'style')} samples={samples} />
      <Range label={t`Kekuatan`} {...optionProps(props, 'strength')} />
      <Switch label={t`Garis tepi`} {...optionProps(props, 'lines')} />
    </div>
  )
}

function Redraws(props: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Segmented
        label={t`Digambar ulang oleh AI`}
        choices={{
          none: t`Tidak`,
          'film-3d': t`Animasi 3D`,
          'anime-film': t`Film anime`,
          storybook: t`Buku cerita`,
          clay: t`Tanah liat`,
        }}
        {...optionProps(props, 'redraw')}
      />
      <p className="text-muted text-xs">
        {t`AI menggambar ulang seluruh foto, jadi hasilnya baru terlihat setelah selesai. Harganya dua kali.`}
      </p>
    </div>
  )
}

function Backgrounds(props: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const { params, onChange } = props
  const { background } = params
  const set = (next: CartoonBackground) => onChange({ background: next })
  const color = 'color' in background ? background.color : defaultColor
  return (
    <div className="flex min-w-0 flex-col">
      <ChoiceRow label={t`Pilihan latar`} className="gap-0.5 lg:grid-cols-6">
        <Swatch
          caption={t`Asli`}
          className="bg-base-200"
          checked={background.type === 'picture'}
          onSelect={() => set({ type: 'picture' })}
        >
          <ImageIcon aria-hidden className="size-5" />
        </Swatch>
        <Swatch
          caption={t`Transparan`}
          className="checker"
          tick="text-base-content"
          checked={background.type === 'transparent'}
          onSelect={() => onChange({ background: { type: 'transparent' }, format: 'png' })}
        />
        <Swatch
          caption={t`Sinar`}
          className="bg-base-200"
          checked={background.type === 'burst'}
          onSelect={() => set({ type: 'burst', color })}
        >
          <Sun aria-hidden className="size-5" />
        </Swatch>
        <ColorPicker
          label={t`Warna latar`}
          caption={t`Warna`}
          checked={background.type === 'color'}
          color={color}
          onPick={(picked) => set({ type: background.type === 'burst' ? 'burst' : 'color', color: picked })}
        />
      </ChoiceRow>
      <Switch
        label={t`Stiker WhatsApp`}
        hint={t`Hasil kedua: orangnya saja, bergaris tepi putih, siap jadi stiker.`}
        {...optionProps(props, 'sticker')}
      />
    </div>
  )
}
