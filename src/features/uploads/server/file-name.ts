const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
}
const maxStem = 80

/**
 * Removes paths and characters that are unsafe in a file system or header, and adds the extension
 * of the true content type.
 */
export function safeName(given: string, contentType: string): string {
  return `${safeStem(given)}.${extensions[contentType] ?? 'bin'}`
}

export function isVideoName(name: string): boolean {
  return /\.(mp4|m4v|mov|webm|mkv|avi|3gp)$/i.test(name)
}

export function safeStem(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/[^\p{L}\p{N}\p{M} ._()-]/gu, '')
  const short = Array.from(stem.replace(/\s+/g, ' ').replace(/^[ .]+|[ .]+$/g, ''))
    .slice(0, maxStem)
    .join('')
  return short || 'foto'
}
