import { uploads } from '#features/uploads/server/uploads.ts'

/** What a result is called: after its source, with what was done to it. */
export function resultName(source: string | undefined, tool: string, extension: string, index = 0): string {
  const number = index === 0 ? '' : `-${index + 1}`
  return `${uploads.safeStem(source ?? '')}-${tool}${number}.${extension}`
}

/**
 * Content-Disposition (RFC 6266) with the name in ASCII and, for those who read it, in full (RFC
 * 8187).
 */
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
