import { useLingui } from '@lingui/react/macro'
import { ImageIcon, PaintBucket, Palette, Sun, WandSparkles } from 'lucide-react'
import { ColorPicker, type OptionSection, OptionSections, Range, Swatch, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { SampleChoice } from '#tools/ui/sample-choice.tsx'
import { useOthers } from '#tools/ui/use-others.ts'
import { useSamples } from '#tools/ui/use-samples.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { CartoonBackground, CartoonizerParams, CartoonStyle } from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'

const defaultColor = '#f4b400'

/**
 * Options of the cartoon tool: the style, chosen by how one's own picture looks in it, and what
 * stands behind.
 */
export function CartoonizerPanel(props: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const { params, phase } = props
  const isRedrawn = params.redraw !== 'none'
  const draws = useOthers('cartoonizer')('cartoon')
  const sections: OptionSection[] = [
    ...(isRedrawn ? [] : [{ id: 'style', label: t`Gaya`, icon: Palette, content: <Styles {...props} /> }]),
    ...(phase === 'before' && (draws || isRedrawn)
      ? [
          {
            id: 'redraw',
            label: t`Gambar ulang`,
            icon: WandSparkles,
            content: <Redraws {...props} />,
            changed: isRedrawn,
          },
        ]
      : []),
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

function Styles({ params, onChange, files }: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const samples = useSamples<CartoonStyle>(workerUrl, files.picture?.[0])
  const styles: { value: CartoonStyle; label: string }[] = [
    { value: 'comic', label: t`Komik` },
    { value: 'anime', label: t`Anime` },
    { value: 'ink', label: t`Tinta` },
    { value: 'watercolour', label: t`Cat air` },
    { value: 'pop-art', label: t`Pop art` },
    { value: 'pencil', label: t`Pensil` },
    { value: 'poster', label: t`Poster` },
    { value: 'pixel', label: t`Piksel` },
  ]
  const percent = Math.round(params.strength * 100)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <SampleChoice
        label={t`Gaya gambar`}
        options={styles}
        value={params.style}
        onChange={(style) => onChange({ style })}
        samples={samples}
      />
      <Range
        label={t`Kekuatan`}
        value={percent}
        text={`${percent}%`}
        min={0}
        max={100}
        step={5}
        onChange={(value) => onChange({ strength: value / 100 })}
      />
      <Switch label={t`Garis tepi`} checked={params.lines} onChange={(lines) => onChange({ lines })} />
    </div>
  )
}

/** The styles above, or a drawing that AI makes for twice the price. */
function Redraws({ params, onChange }: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Segmented
        label={t`Digambar ulang oleh AI`}
        choices={[
          { value: 'none', label: t`Tidak` },
          { value: 'film-3d', label: t`Animasi 3D` },
          { value: 'anime-film', label: t`Film anime` },
          { value: 'storybook', label: t`Buku cerita` },
          { value: 'clay', label: t`Tanah liat` },
        ]}
        value={params.redraw}
        onChange={(redraw) => onChange({ redraw })}
      />
      <p className="text-muted text-xs">
        {t`AI menggambar ulang seluruh foto, jadi hasilnya baru terlihat setelah selesai. Harganya dua kali.`}
      </p>
    </div>
  )
}

function Backgrounds({ params, onChange }: PanelProps<CartoonizerParams>) {
  const { t } = useLingui()
  const { background } = params
  const set = (next: CartoonBackground) => onChange({ background: next })
  const color = 'color' in background ? background.color : defaultColor
  return (
    <div className="flex min-w-0 flex-col">
      <fieldset
        aria-label={t`Pilihan latar`}
        className="-mx-5 flex min-w-0 gap-0.5 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:grid-cols-6 lg:overflow-visible lg:px-0"
      >
        <Swatch
          caption={t`Foto asli`}
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
      </fieldset>
      <Switch
        label={t`Stiker WhatsApp`}
        hint={t`Hasil kedua: orangnya saja, bergaris tepi putih, siap jadi stiker.`}
        checked={params.sticker}
        onChange={(sticker) => onChange({ sticker })}
      />
    </div>
  )
}
