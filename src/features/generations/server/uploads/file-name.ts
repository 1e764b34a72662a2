const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}
const longestStem = 80

/** A name to show and to download under: no path, nothing that a file system or a header minds, and the extension of what is really in the file. */
export function safeName(given: string, contentType: string): string {
  return `${stemOf(given)}.${extensions[contentType] ?? 'bin'}`
}

/** What a result is called: after its source, with what was done to it. */
export function resultName(source: string | undefined, tool: string, extension: string, index = 0): string {
  const number = index === 0 ? '' : `-${index + 1}`
  return `${stemOf(source ?? '')}-${tool}${number}.${extension}`
}

function stemOf(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/[^\p{L}\p{N}\p{M} ._()-]/gu, '')
  const short = Array.from(stem.replace(/\s+/g, ' ').replace(/^[ .]+|[ .]+$/g, ''))
    .slice(0, longestStem)
    .join('')
  return short || 'foto'
}

/** Content-Disposition (RFC 6266) with the name in ASCII and, for those who read it, in full (RFC 8187). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\%]/g, '_')
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`
}
