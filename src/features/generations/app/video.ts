import { videoLimits } from '#contract/media.ts'
import type { ChosenPicture, PictureProblem } from './picture.ts'

type Kind = 'video/mp4' | 'video/quicktime' | 'video/webm'

/** The video format by the file's first bytes, or null when it is none that can be uploaded. */
export function sniffVideo(head: Uint8Array): Kind | null {
  const ascii = (start: number, end: number) => String.fromCharCode(...head.subarray(start, end))
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'video/webm'
  if (['moov', 'mdat', 'wide', 'free'].includes(ascii(4, 8))) return 'video/quicktime'
  if (ascii(4, 8) !== 'ftyp') return null
  const brand = ascii(8, 12)
  if (brand === 'qt  ') return 'video/quicktime'
  return /^(isom|iso[2-9]|mp4[12]|avc1|dash|M4V |mmp4|MSNV|3g[ep2-9])/.test(brand) ? 'video/mp4' : null
}

/** Checks what the device can know of a video; what it cannot play goes to the server as it is. */
export async function chooseVideo(file: Blob & { name?: string }): Promise<ChosenPicture | PictureProblem> {
  if (file.size === 0) return 'empty'
  const kind = sniffVideo(new Uint8Array(await file.slice(0, 64).arrayBuffer()))
  if (!kind) return 'not_video'
  if (file.size > videoLimits.bytes) return 'video_too_large'
  const original = file.type === kind ? file : new Blob([file], { type: kind })
  const known = await readMetadata(original)
  if (known && known.seconds > videoLimits.seconds + 0.5) return 'video_too_long'
  const name = file.name || `video.${kind === 'video/webm' ? 'webm' : kind === 'video/mp4' ? 'mp4' : 'mov'}`
  return { id: crypto.randomUUID(), name, original, size: known?.size ?? null, seconds: known?.seconds ?? 0 }
}

/** Milliseconds after which a video that the browser neither reads nor refuses is taken for unreadable. */
const patience = 8000

/** Upright size and length as the browser plays it; null where it cannot. */
function readMetadata(file: Blob): Promise<{ size: { width: number; height: number }; seconds: number } | null> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  return new Promise<Awaited<ReturnType<typeof readMetadata>>>((resolve) => {
    setTimeout(() => resolve(null), patience)
    video.onerror = () => resolve(null)
    video.onloadedmetadata = () => {
      const { videoWidth: width, videoHeight: height, duration } = video
      const seconds = Number.isFinite(duration) ? duration : 0
      resolve(width > 0 && height > 0 ? { size: { width, height }, seconds } : null)
    }
    video.preload = 'metadata'
    video.muted = true
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
