import { useLingui } from '@lingui/react/macro'
import { Aperture, Droplets, ImagePlus } from 'lucide-react'
import { useId } from 'react'
import { ChoiceRow, ColorPicker, ColorSwatches, Swatch } from './controls.tsx'
import { useObjectUrl } from './object-url.ts'
import type { PanelProps } from './page.ts'

type BackgroundChoice =
  | { type: 'transparent' }
  | { type: 'color'; color: string }
  | { type: 'blur' }
  | { type: 'image' }

const defaultColor = '#f4b400'

/** The user's picture is sent as the input `background`. */
export function BackgroundPicker({
  value: background,
  onChange: set,
  files,
  onFile,
  onLens,
}: {
  value: BackgroundChoice | { type: 'lens' }
  onChange: (background: BackgroundChoice) => void
  /** Absent without a depth provider. */
  onLens?: (() => void) | undefined
} & Pick<PanelProps<unknown>, 'files' | 'onFile'>) {
  const { t } = useLingui()
  const colors = [
    { color: '#ffffff', label: t`Putih`, tick: 'text-neutral-900' },
    { color: '#e7e5e4', label: t`Abu`, tick: 'text-neutral-900' },
    { color: '#18181b', label: t`Hitam` },
    { color: '#db1514', label: t`Merah` },
    { color: '#0090ff', label: t`Biru` },
    { color: '#fde68a', label: t`Krem`, tick: 'text-neutral-900' },
    { color: '#a7f3d0', label: t`Mint`, tick: 'text-neutral-900' },
    { color: '#fbcfe8', label: t`Pink`, tick: 'text-neutral-900' },
  ]
  const color = background.type === 'color' ? background.color.toLowerCase() : null
  const own = color !== null && !colors.some((known) => known.color === color)
  return (
    <ChoiceRow
      label={t`Pilihan latar`}
      className="gap-0.5 lg:grid-cols-[repeat(auto-fill,minmax(3.25rem,1fr))] lg:gap-y-1"
    >
      <Swatch
        caption={t`Transparan`}
        className="checker"
        tick="text-base-content"
        checked={background.type === 'transparent'}
        onSelect={() => set({ type: 'transparent' })}
      />
      <ColorPicker
        label={t`Warna sendiri`}
        caption={t`Warna`}
        checked={own}
        color={color ?? defaultColor}
        onPick={(picked) => set({ type: 'color', color: picked })}
      />
      <Swatch
        caption={t`Buram`}
        className="bg-base-200"
        checked={background.type === 'blur'}
        onSelect={() => set({ type: 'blur' })}
      >
        <Droplets aria-hidden className="size-5" />
      </Swatch>
      {onLens && (
        <Swatch caption={t`Lensa`} className="bg-base-200" checked={background.type === 'lens'} onSelect={onLens}>
          <Aperture aria-hidden className="size-5" />
        </Swatch>
      )}
      <OwnPicture
        checked={background.type === 'image'}
        file={files.background?.[0]}
        onPick={async (file) => {
          if (await onFile('background', file)) set({ type: 'image' })
        }}
      />
      <ColorSwatches colors={colors} color={color} onPick={(known) => set({ type: 'color', color: known.color })} />
    </ChoiceRow>
  )
}

export function OwnPicture({ checked, file, onPick }: { checked: boolean; file?: Blob; onPick: (file: File) => void }) {
  const { t } = useLingui()
  const input = useId()
  const url = useObjectUrl(file)
  return (
    <label
      htmlFor={input}
      className="group flex w-16 shrink-0 cursor-pointer flex-col lg:w-auto items-center gap-1.5 rounded-xl py-1 text-xs has-focus-visible:outline-2 has-focus-visible:outline-primary"
    >
      <span
        data-checked={checked || undefined}
        className="grid size-11 place-items-center overflow-hidden rounded-full bg-base-200 ring-1 ring-base-content/15 ring-inset data-checked:outline-2 data-checked:outline-primary data-checked:outline-offset-2"
      >
        {url ? (
          <img src={url} alt="" className="size-full object-cover" />
        ) : (
          <ImagePlus aria-hidden className="size-5" />
        )}
      </span>
      <span className="flex w-full justify-center whitespace-nowrap lg:text-[0.6875rem]">{t`Foto`}</span>
      <input
        id={input}
        type="file"
        accept="image/*"
        aria-label={t`Foto sendiri sebagai latar`}
        aria-current={checked}
        className="sr-only"
        onChange={(event) => {
          const picked = event.target.files?.[0]
          if (picked) onPick(picked)
          event.target.value = ''
        }}
      />
    </label>
  )
}
