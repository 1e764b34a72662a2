import { isMatroska } from '#engine/video/container-limits.ts'
import { readVideoInfo } from '#engine/video/video-info.ts'
import { videoLimits } from '#shared/media.ts'
import type { ChosenPicture } from './picture.ts'
import type { PictureProblem } from './picture-problems.ts'

type Kind = 'video/mp4' | 'video/quicktime' | 'video/webm'

/** Detects the format by the first bytes; null if unsupported. */
export function sniffVideo(head: Uint8Array): Kind | null {
  const ascii = (start: number, end: number) => String.fromCharCode(...head.subarray(start, end))
  if (isMatroska(head)) return 'video/webm'
  if (['moov', 'mdat', 'wide', 'free'].includes(ascii(4, 8))) return 'video/quicktime'
  if (ascii(4, 8) !== 'ftyp') return null
  const brand = ascii(8, 12)
  if (brand === 'qt  ') return 'video/quicktime'
  return /^(isom|iso[2-9]|mp4[12]|avc1|dash|M4V |mmp4|MSNV|3g[ep2-9])/.test(brand) ? 'video/mp4' : null
}

/** Reads the container, independent of the browser's codecs. */
export async function chooseVideo(file: Blob & { name?: string }): Promise<ChosenPicture | PictureProblem> {
  if (file.size === 0) return 'empty'
  const kind = sniffVideo(new Uint8Array(await file.slice(0, 64).arrayBuffer()))
  if (!kind) return 'not_video'
  if (file.size > videoLimits.bytes) return 'video_too_heavy'
  const facts = await readVideoInfo({
    size: file.size,
    read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
  })
  if (typeof facts === 'string') return facts
  const { contentType, width, height, seconds } = facts
  const original = file.type === contentType ? file : new Blob([file], { type: contentType })
  const name = file.name || `video.${extensions[contentType]}`
  return { id: crypto.randomUUID(), name, original, size: { width, height }, seconds }
}

const extensions: Record<Kind, string> = { 'video/mp4': 'mp4', 'video/quicktime': 'mov', 'video/webm': 'webm' }
