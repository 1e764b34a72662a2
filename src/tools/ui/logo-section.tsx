import { useLingui } from '@lingui/react/macro'
import { ArrowDownLeft, ArrowDownRight, ArrowUpLeft, ArrowUpRight, Dot, ImagePlus, Stamp, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { errorText } from '#client/api.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { IconButton } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { firstLogo, type Logo, logoLimits } from '../contract/logo.ts'
import { type OptionSection, Range, Switch } from './controls.tsx'
import { saveLogo, useAccountLogo, useLogoUrl } from './logo-query.ts'
import type { PanelProps } from './page.ts'

/** Longer sides in pixels, tried until a logo is small enough. */
const sides = [1024, 640, 320]
/** Bytes of the PNG; the server accepts no larger one. */
const maxBytes = 500_000

/**
 * As stored and sent: an upright PNG with transparency; throws where the device cannot decode it.
 */
async function logoFile(picked: Blob): Promise<File> {
  const bitmap = await createImageBitmap(picked)
  let made: Blob | undefined
  for (const side of sides) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    )
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    made = await canvas.convertToBlob({ type: 'image/png' })
    if (made.size <= maxBytes) break
  }
  bitmap.close()
  return new File([made as Blob], 'logo.png', { type: 'image/png' })
}

function asDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

function fromDataUrl(url: string): File {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
  return new File([bytes], 'logo.png', { type: 'image/png' })
}

type Props = Pick<PanelProps<{ logo: Logo | null }>, 'params' | 'onChange' | 'files' | 'counts' | 'onFile'>

export function useLogoSection(props: Props): OptionSection {
  const { t } = useLingui()
  useKeptLogoFile(props)
  return {
    id: 'logo',
    label: t`Logo`,
    icon: Stamp,
    content: <LogoOptions {...props} />,
    changed: props.params.logo !== null,
  }
}

/**
 * Adds the account's logo where options need one, such as those of a look; otherwise removes those
 * options.
 */
function useKeptLogoFile({ params, onChange, files, counts, onFile }: Props): void {
  const kept = useAccountLogo()
  const missing = params.logo !== null && (files.logo?.length ?? 0) === 0 && (counts.logo ?? 0) === 0
  const fetchIt = useEffectEvent(() => {
    if (kept) void onFile('logo', fromDataUrl(kept))
    else if (kept === null) onChange({ logo: null })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: also once it is known
  useEffect(() => {
    if (missing) fetchIt()
  }, [missing, kept])
}

function LogoOptions({ params: { logo }, onChange, files, counts, onFile }: Props) {
  const { t } = useLingui()
  const input = useId()
  const url = useLogoUrl(files)
  const [last, setLast] = useState(logo ?? firstLogo)
  const kept = useAccountLogo()
  const there = url !== null || (counts.logo ?? 0) > 0
  const set = (next: Logo | null) => {
    if (next) setLast(next)
    onChange({ logo: next })
  }
  async function choose(picked: File) {
    const made = await logoFile(picked).catch(() => picked)
    if (!(await onFile('logo', made))) return
    const use = () => set(logo ?? last)
    if (made === picked || !store.get(isAuthenticatedAtom)) return use()
    await asDataUrl(made)
      .then((picture) => saveLogo(picture, use))
      .catch((error: unknown) => showSnackbar('error', errorText(error)))
  }
  const positions = [
    { place: 'top-left', label: t`Kiri atas`, icon: ArrowUpLeft },
    { place: 'top-right', label: t`Kanan atas`, icon: ArrowUpRight },
    { place: 'center', label: t`Di tengah`, icon: Dot },
    { place: 'bottom-left', label: t`Kiri bawah`, icon: ArrowDownLeft },
    { place: 'bottom-right', label: t`Kanan bawah`, icon: ArrowDownRight },
  ] as const
  const ranges = [
    { name: 'size', label: t`Ukuran`, step: 1 },
    { name: 'margin', label: t`Jarak tepi`, step: 1 },
    { name: 'opacity', label: t`Kepekatan`, step: 5 },
  ] as const
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-center gap-3">
        <label
          htmlFor={input}
          className="checker grid size-11 shrink-0 cursor-pointer place-items-center overflow-hidden rounded-xl ring-1 ring-base-content/15 ring-inset has-focus-visible:outline-2 has-focus-visible:outline-primary"
        >
          {url ? (
            <img src={url} alt="" className="size-full object-contain" />
          ) : (
            <ImagePlus aria-hidden className="size-5" />
          )}
          <input
            id={input}
            type="file"
            accept="image/*"
            aria-label={there ? t`Ganti gambar logo` : t`Pilih gambar logo`}
            className="sr-only"
            onChange={({ target }) => {
              const [picked] = target.files ?? []
              target.value = ''
              if (picked) void choose(picked)
            }}
          />
        </label>
        {there ? (
          <div className="min-w-0 flex-1">
            <Switch label={t`Pasang logo`} value={logo !== null} onChange={(on) => set(on ? last : null)} />
          </div>
        ) : (
          <label htmlFor={input} className="cursor-pointer text-sm leading-snug">
            <strong className="block font-semibold">{t`Pilih logomu`}</strong>
            <span className="text-muted">{t`PNG transparan paling bagus. Sekali pilih, bisa dipakai terus.`}</span>
          </label>
        )}
        {kept && !logo && (
          <IconButton
            icon={Trash2}
            label={t`Hapus logo dari akun`}
            onClick={() => void saveLogo(null).catch((error: unknown) => showSnackbar('error', errorText(error)))}
          />
        )}
      </div>
      {logo && (
        <>
          <fieldset aria-label={t`Tempat logo`} className="flex gap-1">
            {positions.map(({ place, label, icon: Icon }) => (
              <button
                key={place}
                type="button"
                aria-label={label}
                aria-pressed={logo.place === place}
                className="grid min-h-11 flex-1 cursor-pointer place-items-center rounded-xl aria-pressed:bg-soft aria-pressed:text-on-soft"
                onClick={() => set({ ...logo, place })}
              >
                <Icon aria-hidden className="size-5" />
              </button>
            ))}
          </fieldset>
          {ranges.map(({ name, label, step }) =>
            name === 'margin' && logo.place === 'center' ? null : (
              <Range
                key={name}
                label={label}
                value={logo[name]}
                {...logoLimits[name]}
                step={step}
                onChange={(value) => set({ ...logo, [name]: value })}
              />
            ),
          )}
        </>
      )}
    </div>
  )
}
