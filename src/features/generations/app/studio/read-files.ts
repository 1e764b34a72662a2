import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { copyFile, UnreadableFile } from '#client/device/local-file.ts'
import { formatBytes } from '#client/format.ts'
import { cacheReducedBitmap } from '#client/reduced-bitmap.ts'
import { findJpegEnd } from '#engine/image/jpeg-scan.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import type { InputSpec } from '#tools/contract/tool.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { DraftFile } from '../draft.ts'
import { type ChosenPicture, isVideo, previewSize, sizeToSend } from '../picture.ts'
import { type PictureProblem, problemLabels } from '../picture-problems.ts'
import { resampleFaithfully, resizeBitmap, uprightWebp } from '../resample.ts'
import { askedInputs, type Inputs, kindFor, maxFiles, takesVideo } from './inputs.ts'
import { markCopy } from './sample-photos.tsx'
import { type PickedPictures, withAddedPictures } from './studio-state.ts'

export async function readFiles(
  page: AnyToolPage,
  inputs: Inputs,
  files: readonly DraftFile[],
): Promise<{ picked: PickedPictures[]; problems: string[] }> {
  const max = askedInputs(page).reduce((sum, [name]) => sum + maxFiles(page.definition, name), 0)
  const problems = new Set<string>()
  const chosen = new Map<string | undefined, ChosenPicture[]>()
  for (const { file, input, id, output } of files.slice(0, max)) {
    const picture = await chooseFile(file, kindFor(page, file, input))
    if (typeof picture === 'string') {
      const { name } = file as { name?: string }
      const broken =
        picture === 'unreadable' || (picture === 'not_image' && /^image\/(jpeg|png|webp|avif|hei[cf])$/.test(file.type))
      problems.add(
        broken && name ? t`${name} rusak dan tidak bisa dibuka. Coba foto lain, ya.` : i18n._(problemLabels[picture]),
      )
      continue
    }
    markCopy(file, picture.original)
    // Earlier drawings are found by the picture's id.
    const known = { ...(id && { id }), ...(output && { output }) }
    chosen.set(input, [...(chosen.get(input) ?? []), { ...picture, ...known }])
  }
  const picked = [...chosen].map(([input, pictures]) => ({ input, pictures }))
  if (withAddedPictures(page, inputs, picked).left > 0 || files.length > max) {
    problems.add(
      takesVideo(page.definition)
        ? t`Hanya satu video sekaligus. Sisanya tidak ikut.`
        : t`${plural(max, { other: 'Paling banyak # foto sekaligus. Sisanya tidak ikut.' })}`,
    )
  }
  return { picked, problems: [...problems] }
}

export async function tellFullStorage(): Promise<void> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate().catch(() => undefined)) ?? {}
  const left = formatBytes(Math.max(0, quota - usage))
  showSnackbar(
    'error',
    t`Ruang di perangkat ini tinggal ${left}. Fotomu tidak tersimpan: jangan tutup halaman ini sebelum selesai.`,
  )
}

type Kind = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/heic'

/** `head`: the first bytes as text. The server refuses animations only after the upload. */
function isAnimated(kind: Kind, head: string): boolean {
  if (kind === 'image/png') return head.split('IDAT', 1)[0]?.includes('acTL') ?? false
  if (kind === 'image/webp') return head.startsWith('VP8X', 12) && (head.charCodeAt(20) & 2) !== 0
  return kind === 'image/avif' && head.startsWith('avis', 8)
}

/**
 * Detects the format by the first bytes, as names and declared types may lie; null if unsupported.
 */
export function sniffPicture(head: Uint8Array): Kind | null {
  const ascii = (start: number, end: number) => String.fromCharCode(...head.subarray(start, end))
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (head[0] === 0x89 && ascii(1, 4) === 'PNG') return 'image/png'
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp'
  if (ascii(4, 8) === 'ftyp') {
    const brands = ascii(8, head.length)
    if (/avi[fs]/.test(brands)) return 'image/avif'
    if (/he[iv][cxms]|m[is]f1/.test(brands)) return 'image/heic'
  }
  return null
}

/** Validates a file for an input on the device, before anything is sent or charged. */
export async function chooseFile(
  file: Blob & { name?: string },
  kind: InputSpec['kind'],
): Promise<ChosenPicture | PictureProblem> {
  return kind === 'video' ? chooseCopy(file, (await import('../video.ts')).chooseVideo) : choosePicture(file)
}

export const choosePicture = (file: Blob & { name?: string }): Promise<ChosenPicture | PictureProblem> =>
  chooseCopy(file, chooseCopied)

async function chooseCopy(
  file: Blob & { name?: string },
  choose: typeof chooseCopied,
): Promise<ChosenPicture | PictureProblem> {
  try {
    // A file that is far too large is refused by its first bytes.
    return await choose(file.size > videoLimits.bytes ? file : await copyFile(file))
  } catch (error) {
    if (error instanceof UnreadableFile) return 'not_readable_here'
    throw error
  }
}

async function chooseCopied(file: Blob & { name?: string }): Promise<ChosenPicture | PictureProblem> {
  if (file.size === 0) return 'empty'
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer())
  const kind = sniffPicture(head.subarray(0, 64))
  if (!kind) return 'not_image'
  if (isAnimated(kind, new TextDecoder('latin1').decode(head))) return 'animated'
  if (file.size > imageLimits.bytes) return 'too_large'
  const typed = file.type === kind ? file : new Blob([file], { type: kind })
  const whole =
    kind === 'image/jpeg'
      ? await withEnd(typed)
      : kind === 'image/webp'
        ? await uprightWebp(typed).catch(() => typed)
        : typed
  if (!whole) return 'cut_off'
  const size = await decodedSize(whole)
  // The server reads both, so missing browser support is no reason to refuse.
  if (!size && kind !== 'image/avif' && kind !== 'image/heic') return 'unreadable'
  const [short = 0, long = 0] = size ? [size.width, size.height].sort((a, b) => a - b) : []
  if (size && short < imageLimits.minSide) return 'too_small'
  if (long > short * imageLimits.maxAspect) return 'too_narrow'
  return { id: crypto.randomUUID(), name: file.name || fallbackName(kind), original: whole, size }
}

/** Browsers do not show a JPEG without its end marker; null if more is missing. */
async function withEnd(file: Blob): Promise<Blob | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const end = findJpegEnd(bytes)
  if (end === 'marked') return file
  return end === 'cut' ? null : new Blob([bytes.subarray(0, end), new Uint8Array([0xff, 0xd9])], { type: file.type })
}

function fallbackName(kind: Kind): string {
  return `foto.${kind === 'image/jpeg' ? 'jpg' : kind.slice('image/'.length)}`
}

async function decodedSize(file: Blob): Promise<Size | null> {
  try {
    const bitmap = await createImageBitmap(file)
    const size = { width: bitmap.width, height: bitmap.height }
    const small = previewSize(size)
    if (small.width < size.width) {
      const kept = resizeBitmap(bitmap, small).then((copy) => cacheReducedBitmap(file, copy))
      await kept.catch(() => undefined)
    }
    bitmap.close()
    return size
  } catch {
    return null
  }
}

/** The original, or an upright copy of a HEIC file or of a picture larger than any result needs. */
export async function pictureToSend(
  picture: ChosenPicture,
  shrink: boolean,
): Promise<{ blob: Blob; name: string; size: Size | null }> {
  const untouched = { blob: picture.original, name: picture.name, size: picture.size }
  if (!picture.size || isVideo(picture) || picture.output) return untouched
  const size = sizeToSend(picture, shrink) ?? picture.size
  const whole = size.width === picture.size.width && size.height === picture.size.height
  // HEIC is converted where the device reads it, so that other devices can show the history.
  if (whole && picture.original.type !== 'image/heic') return untouched
  // Without enough memory, or with a browser that changes pixels, the original is sent.
  const blob = await resampleFaithfully(picture.original, size).catch(() => null)
  return blob ? { blob, name: renamed(picture.name, blob.type), size } : untouched
}

function renamed(name: string, type: string): string {
  const extension = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)
  return `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${extension}`
}
